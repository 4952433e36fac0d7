/** The phrase book: claims and remarks that each player reads in their own language (docs/protocol.md). */
import type { Happened, Room } from '../protocol/messages';
import { gameText, term } from './language.svelte';
import { wordKey } from './messages';
import type { Naming } from './sentences';

export type Remarked = Happened<'Remarked'>;
export type Phrase = keyof typeof PHRASES;
type Kind = 'roles' | 'sides' | 'cards';
type Words = Pick<Room, 'roles' | 'casting'>;

/** What a phrase needs: a player, a kind of word, both or neither. */
export const PHRASES = {
  i_am: { seat: false, words: 'roles' },
  i_saw: { seat: true, words: 'sides' },
  i_examined: { seat: true, words: 'sides' },
  i_protected: { seat: true, words: null },
  i_played: { seat: false, words: 'cards' },
  i_trust: { seat: true, words: null },
  i_suspect: { seat: true, words: null },
  take: { seat: true, words: null },
  why: { seat: true, words: null },
  take_me: { seat: false, words: null },
  approve_this: { seat: false, words: null },
  reject_this: { seat: false, words: null },
  wait: { seat: false, words: null },
  go_on: { seat: false, words: null },
  hello: { seat: false, words: null },
  well_played: { seat: false, words: null },
} as const satisfies Record<string, { seat: boolean; words: Kind | null }>;

/** The phrases that say what a player is, saw or did. */
export const isClaim = ({ phrase }: Pick<Remarked, 'phrase'>): boolean =>
  ['i_am', 'i_saw', 'i_examined', 'i_protected', 'i_played'].includes(phrase);

/** The words that can be claimed; `cards` are those of the game. */
export function wordsFor(
  phrase: Phrase,
  { roles, casting }: Words,
  cards: readonly string[],
): readonly string[] {
  switch (PHRASES[phrase].words) {
    case 'roles':
      return [...new Set(roles)];
    case 'sides':
      return casting.map(({ side }) => side);
    case 'cards':
      return cards;
    default:
      return [];
  }
}

/** The context of a word gives the word its article: `i_am_loyal_servant`. */
function text(game: string, phrase: string, values: { name: string; word: string }, context = ''): string {
  const keys = [`claim.${phrase}_${context}`, `claim.${phrase}`, `remark.${phrase}`];
  return keys.map((key) => gameText(game, key, values)).find((found) => found !== undefined) ?? phrase;
}

/** A remark as a sentence. */
export function claimed(
  live: { name: Naming; game: string },
  { phrase, about, word }: Pick<Remarked, 'phrase' | 'about' | 'word'>,
): string {
  const values = {
    name: about === null ? '' : live.name(about),
    word: word === null ? '' : term(word, live.game),
  };
  return text(live.game, phrase, values, wordKey(word ?? ''));
}

/** What a phrase is called where it is chosen, before a player or a word is. */
export const phraseCalled = (phrase: Phrase, game: string): string =>
  text(game, phrase, { name: '…', word: '…' });
