/** The language of the page, and its messages. Each language is a script of its own, fetched when it is chosen. */
import { gameText as fetchGameText, type GameText } from '../protocol/api';
import { fetched } from '../parts/fetched';
import { store, stored } from '../protocol/storage';
import { GAMES, LANGUAGES, SHARED, type Language } from './generated';
import type { Blanks } from './generated/keys';
import { fill, find, isolated, plainName, wordKey, type Messages, type Values } from './messages';

export type Key = keyof Blanks;
/** The keys of messages without blanks. */
export type PlainKey = { [Name in Key]: [Blanks[Name]] extends [never] ? Name : never }[Key];
type Arguments<Name extends Key> = [Blanks[Name]] extends [never]
  ? []
  : [{ [Blank in Blanks[Name]]: Blank extends 'count' ? number : string | number }];

const [ENGLISH] = LANGUAGES;
let current = $state<Language>(ENGLISH.code);
let messages = $state.raw<Messages>({});
/** The text of games that the app was built without, as the server sends it. */
let installed = $state.raw<Readonly<Record<string, GameText>>>({});
const plural = $derived(new Intl.PluralRules(current));

export const language = {
  get now(): Language {
    return current;
  },
  /** Fetches the messages of a language and changes the page to it. */
  async choose(code: Language): Promise<void> {
    const [loaded, translated] = await Promise.all([load(code), texts(installedGames(), code)]);
    [messages, installed, current] = [loaded, { ...installed, ...translated }, code];
  },
  /** Fetches the text of games that the app was built without, if it is not here yet. */
  async learn(games: readonly string[]): Promise<void> {
    const missing = games.filter((game) => !hasText(game) && !(game in installed));
    if (missing.length) installed = { ...installed, ...(await texts(missing, current)) };
  },
  /** The language chosen last in this browser, or the first of the browser's own that we have, or English. */
  async start(): Promise<void> {
    await language.choose(preferred(stored('language'), ...browserLanguages()));
  },
  async change(code: Language): Promise<void> {
    await language.choose(code);
    store('language', code);
  },
};

async function load(code: Language): Promise<Messages> {
  const { default: loaded } = await fetched((LANGUAGES.find((one) => one.code === code) ?? ENGLISH).load);
  return loaded;
}

/** A text that cannot be fetched stays as it is; without one, a game is told by the names of its parts. */
async function texts(games: readonly string[], code: Language): Promise<Record<string, GameText>> {
  const fetched = games.map(async (game): Promise<[string, GameText][]> => {
    try {
      return [[game, await fetchGameText(game, code)]];
    } catch {
      return installed[game] ? [[game, installed[game]]] : [];
    }
  });
  return Object.fromEntries((await Promise.all(fetched)).flat());
}

/** What the server says about a game that the app was built without. */
export const installedGame = (game: string): GameText | undefined => installed[game];
export const installedGames = (): string[] => Object.keys(installed);

/** Whether the app was built with the text of this game. */
const hasText = (game: string): boolean => (GAMES as readonly string[]).includes(game);

const browserLanguages = () => (typeof navigator === 'undefined' ? [] : navigator.languages);

function preferred(...wanted: (string | null)[]): Language {
  for (const one of wanted) {
    const found = LANGUAGES.find(({ code }) => code === one || code === one?.split('-')[0]);
    if (found) return found.code;
  }
  return ENGLISH.code;
}

/** The message of a key in the language of the page: `t('lobby.title', { game, seats })`, `t('game:mark.leader')`. */
export function t<Name extends Key>(key: Name, ...[values]: Arguments<Name>): string {
  return inNamespaces([''], key, values) ?? key;
}

/** A message that games share, as this game says it; one game's quests are another's missions. */
export function inGame<Name extends Key>(game: string, key: Name, ...[values]: Arguments<Name>): string {
  const [, shared = '', plain = ''] = /^(\w+:)(.+)$/.exec(key) ?? [];
  return inNamespaces([`${game}:`, shared], plain, values) ?? key;
}

/** A message of a game by a key that comes from the server, or undefined: the game's own, then what games share, then ours. */
export function gameText(game: string, key: string, values?: Values): string | undefined {
  const shared = hasText(game) ? SHARED.map((one) => `${one}:`) : [];
  return inNamespaces([`${game}:`, ...shared, ''], key, values);
}

function inNamespaces(spaces: readonly string[], key: string, values?: Values): string | undefined {
  const count = typeof values?.count === 'number' ? values.count : undefined;
  for (const space of spaces) {
    const own = installed[space.slice(0, -1)];
    const found = own ? find(own.messages, plural, key, count) : find(messages, plural, space + key, count);
    if (found !== undefined) return fill(found, values);
  }
  return undefined;
}

const WORD_SPACES = [...GAMES, ...SHARED].map((one) => `${one}:`);

/** A role, side or card as players call it; a word without a translation stays as it is. */
export const term = (word: string, game = ''): string =>
  inNamespaces([`${game}:`, ...WORD_SPACES], `word.${wordKey(word)}`) ?? word.replaceAll('_', ' ');

export const gameName = (game: string): string => gameText(game, 'game.name') ?? plainName(game);

/** Why a game ended. */
export const reasonOf = (game: string, reason: string): string =>
  gameText(game, `outcome.${reason}`) ?? plainName(reason);

/** `Ann, Bình and Eve`, as the language joins them. */
export function list(names: readonly string[]): string {
  const [last, ...most] = names.map(isolated).reverse();
  if (!most.length) return last ?? t('list.none');
  return t('list.more', { most: most.reverse().join(t('list.separator')), last: last ?? '' });
}
