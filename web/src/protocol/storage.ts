/** localStorage: the player's name, language and a token for each room; in memory where there is no storage. */
import { newToken } from './ids';

const PREFIX = 'roundtable.';
const inMemory = new Map<string, string>();

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

export const tokenFor = (code: string) => stored(`token.${code}`);
export const forgetToken = (code: string) => forget(`token.${code}`);

export function storeToken(code: string, token: string): void {
  store(`token.${code}`, token);
  forget(`joining.${code}`);
}

/** The token to join a room with: the same for every attempt, so that a retry does not join twice. */
export function tokenToJoin(code: string): string {
  const token = stored(`joining.${code}`) ?? newToken();
  store(`joining.${code}`, token);
  return token;
}
