/** localStorage: the player's name, avatar, language, tables and games; in memory where there is no storage. */
import { newToken } from './ids';

const PREFIX = 'roundtable.';
const MOST_TABLES = 10; // that home lists, the latest
const MOST_GAMES = 50;
const inMemory = new Map<string, string>();

/** A finished game in which this browser played. */
export type OwnGame = {
  code: string;
  number: number;
  game: string;
  /** When it ended, in milliseconds since 1970. */
  at: number;
  winner: string | null;
  role: string;
  side: string;
  hasWon: boolean;
};

export function stored(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return inMemory.get(name) ?? null;
  }
}

export function store(name: string, text: string): void {
  inMemory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch {
    // a private window may have no storage
  }
}

/** The names in the storage that begin so. */
export function storedNames(prefix: string): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return names.filter((name) => name.startsWith(PREFIX + prefix)).map((name) => name.slice(PREFIX.length));
  } catch {
    return [...inMemory.keys()].filter((name) => name.startsWith(prefix));
  }
}

export function forget(name: string): void {
  inMemory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // no storage
  }
}

/** A list of earlier; none where something else wrote there. */
export function storedList<One>(name: string): One[] {
  try {
    const read: unknown = JSON.parse(stored(name) ?? '[]');
    return Array.isArray(read) ? (read as One[]) : [];
  } catch {
    return [];
  }
}

// Tables

export const tokenFor = (code: string) => stored(`token.${code}`);

export function forgetToken(code: string): void {
  forget(`token.${code}`);
  forget(`guests.${code}`); // players without a phone, whose tokens this browser kept
  store('tables', JSON.stringify(ownTables().filter((one) => one !== code)));
}

export function storeToken(code: string, token: string): void {
  store(`token.${code}`, token);
  forget(`joining.${code}`);
  store('tables', JSON.stringify([code, ...ownTables().filter((one) => one !== code)].slice(0, MOST_TABLES)));
}

/** The tables that this browser has a token for, the latest first. */
export const ownTables = (): string[] =>
  storedList<unknown>('tables').filter((one): one is string => typeof one === 'string');

/** The token to join a room with: the same for every attempt, so that a retry does not join twice. */
export function tokenToJoin(code: string): string {
  const token = stored(`joining.${code}`) ?? newToken();
  store(`joining.${code}`, token);
  return token;
}

/** After leaving for good: the table knows by the same token whose seat it was. */
export function keepTokenToJoin(code: string): void {
  const token = tokenFor(code);
  if (token) store(`joining.${code}`, token);
  forgetToken(code);
}

// Finished games

const isOwnGame = (one: unknown): one is OwnGame =>
  typeof one === 'object' && one !== null && 'code' in one && 'number' in one && 'game' in one && 'at' in one;

/** The games that this browser played, the latest first. */
export const ownGames = (): OwnGame[] => storedList<unknown>('games').filter(isOwnGame);

/** Keeps a game once, however often its end is shown. */
export function keepOwnGame(game: OwnGame): void {
  const kept = ownGames();
  if (kept.some((one) => one.code === game.code && one.number === game.number)) return;
  store('games', JSON.stringify([game, ...kept].slice(0, MOST_GAMES)));
}
