/** The language of the page, and its messages. Each language is a script of its own, fetched when it is chosen. */
import { store, stored } from '../protocol/storage';
import { GAMES, LANGUAGES, SHARED, type Language } from './generated';
import type { Blanks } from './generated/keys';
import { fill, find, snakeCase, type Messages, type Values } from './messages';

export type Key = keyof Blanks;
type Arguments<Name extends Key> = [Blanks[Name]] extends [never]
  ? []
  : [{ [Blank in Blanks[Name]]: Blank extends 'count' ? number : string | number }];

const [ENGLISH] = LANGUAGES;
let current = $state<Language>(ENGLISH.code);
let messages = $state.raw<Messages>({});
const plural = $derived(new Intl.PluralRules(current));

export const language = {
  get now(): Language {
    return current;
  },
  /** Fetches the messages of a language and changes the page to it. */
  async choose(code: Language): Promise<void> {
    messages = await load(code);
    current = code;
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
  const { default: loaded } = await (LANGUAGES.find((one) => one.code === code) ?? ENGLISH).load();
  return loaded;
}

const browserLanguages = () => (typeof navigator === 'undefined' ? [] : navigator.languages);

function preferred(...wanted: (string | null)[]): Language {
  for (const one of wanted) {
    const found = LANGUAGES.find(({ code }) => code === one || code === one?.split('-')[0]);
    if (found) return found.code;
  }
  return ENGLISH.code;
}

/** The message of a key in the language of the page: `t('lobby.title', { game, seats })`, `t('quests:mark.leader')`. */
export function t<Name extends Key>(key: Name, ...[values]: Arguments<Name>): string {
  return inNamespaces([''], key, values) ?? key;
}

/** A message of a game by a key that comes from the server, or undefined: the game's own, then what games share, then ours. */
export function gameText(game: string, key: string, values?: Values): string | undefined {
  return inNamespaces([`${game}:`, ...SHARED.map((one) => `${one}:`), ''], key, values);
}

function inNamespaces(spaces: readonly string[], key: string, values?: Values): string | undefined {
  const count = typeof values?.count === 'number' ? values.count : undefined;
  for (const space of spaces) {
    const found = find(messages, plural, space + key, count);
    if (found !== undefined) return fill(found, values);
  }
  return undefined;
}

const WORD_SPACES = [...GAMES, ...SHARED].map((one) => `${one}:`);

/** A role, side or card as players call it; a word without a translation stays as it is. */
export const term = (word: string): string => inNamespaces(WORD_SPACES, `word.${snakeCase(word)}`) ?? word;

export const gameName = (game: string): string => gameText(game, 'game.name') ?? game;

/** Why a game ended. */
export const reasonOf = (game: string, reason: string): string =>
  gameText(game, `outcome.${reason}`) ?? reason;

/** `Ann, Bình and Eve`, as the language joins them. */
export function list(names: readonly string[]): string {
  const [last, ...most] = [...names].reverse();
  if (!most.length) return last ?? t('list.none');
  return t('list.more', { most: most.reverse().join(t('list.separator')), last: last ?? '' });
}
