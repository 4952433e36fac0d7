/** The phrase book: claims and remarks that each player reads in their own language (docs/protocol.md). */
import type { Live } from '../../table/live.svelte';
import type { Event, Room } from '../../protocol/messages';
import { gameText, isBuiltIn, term } from '../../text';

export type Remarked = Extract<Event, { is: 'Remarked' }>;
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

const IN_TOWN: Phrase[] = ['i_am', 'i_examined', 'i_protected', 'i_trust', 'i_suspect', 'why'];
const ANYWHERE: Phrase[] = ['i_am', 'i_saw', 'i_trust', 'i_suspect', 'why'];
const AT_COURT: Phrase[] = ['i_am', 'i_saw', 'i_examined', 'i_played', 'i_trust', 'i_suspect', 'take', 'why'];

/** Phrases about a player or a word that make sense in a game. */
export function longPhrases(game: string): Phrase[] {
  if (!isBuiltIn(game)) return ANYWHERE;
  return game === 'saviom' ? IN_TOWN : AT_COURT;
}

/** Phrases that are said with one tap. */
export const quickPhrases = (game: string): Phrase[] =>
  game === 'saviom' || !isBuiltIn(game)
    ? ['hello', 'wait', 'go_on', 'well_played']
    : ['approve_this', 'reject_this', 'take_me', 'wait', 'go_on', 'hello', 'well_played'];

/** The words that can be claimed. */
export function wordsFor(phrase: Phrase, game: string, { roles, casting }: Words): string[] {
  switch (PHRASES[phrase].words) {
    case 'roles':
      return [...new Set(roles)];
    case 'sides':
      return casting.map(({ side }) => side);
    case 'cards':
      return game === 'thavalon' ? ['Success', 'Fail', 'Reverse'] : ['Success', 'Fail'];
    default:
      return [];
  }
}

const text = (phrase: string, values: { name: string; word: string }): string =>
  gameText('', `claim.${phrase}`, values) ?? gameText('', `remark.${phrase}`, values) ?? phrase;

/** A remark as a sentence. */
export function claimed(
  live: Pick<Live, 'name' | 'game'>,
  { phrase, about, word }: Pick<Remarked, 'phrase' | 'about' | 'word'>,
): string {
  return text(phrase, {
    name: about === null ? '' : live.name(about),
    word: word === null ? '' : term(word, live.game),
  });
}

/** What a phrase is called where it is chosen, before a player or a word is. */
export const phraseCalled = (phrase: Phrase): string => text(phrase, { name: '…', word: '…' });
