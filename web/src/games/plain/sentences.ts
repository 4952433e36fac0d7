/** A game of another package in sentences: its status, what has happened, and what only this seat knows. */
import type { View } from '../../protocol/messages';
import { gameText, plainName, t } from '../../text';
import { isForEveryone, telling } from '../../text/events';
import { keyed, plainSentence, sentenceOf } from '../../text/sentences';
import type { Table } from '../game';

type Listener = Pick<Table, 'name' | 'heard'>;

/** As src/roundtable/text/teller.py tells any game: by its keys, or by the names of its parts. */
export const tellPlainly = telling((game, event, name) => {
  if (event.is === 'PhaseBegan') return keyed(game, `phase.${event.name}.began`, event, name) ?? '';
  return sentenceOf(game, 'event', event, name) ?? plainSentence(game, event, name);
});

/** What is asked of this seat, or what the phase is about. */
export function plainStatus({ seat }: Pick<Table, 'seat'>, view: View): string {
  if (!view.phase.number) return t('table.dealing');
  const text = (part: string) => gameText(view.setup.game, `phase.${view.phase.name}.${part}`);
  const isAwaited = view.phase.awaited.includes(seat);
  const [first, second] = isAwaited ? ['question', 'began'] : ['began', 'question'];
  return text(first) ?? text(second) ?? plainName(view.phase.name);
}

/** Everything public so far, in order. */
export const publicSentences = (live: Listener, game: string): string[] =>
  live.heard
    .filter(({ event }) => isForEveryone(event))
    .map(({ event }) => tellPlainly(game, event, (seat) => live.name(seat)))
    .filter((sentence) => sentence);

/** Everything that was said to this seat and not to everyone, in the second person where the game has such sentences. */
export function privateSentences(live: Listener, game: string): string[] {
  const name = (seat: number) => live.name(seat);
  return live.heard
    .filter(({ event }) => event.audience !== 'everyone' && event.is !== 'Said')
    .map(({ event }) => sentenceOf(game, 'secret', event, name) ?? tellPlainly(game, event, name))
    .filter((sentence) => sentence);
}
