/** What a move is called on its button; and its kind, before a target is chosen. */
import type { Move } from '../protocol/messages';
import { gameText } from './language.svelte';
import { isolated, nameKey, plainName } from './messages';
import { sentenceOf, shownFields, type Naming } from './sentences';

type Caller = { name: Naming; game: string };

export function called(live: Caller, move: Move): string {
  return sentenceOf(live.game, 'move', move, (seat) => live.name(seat)) ?? plainlyCalled(live, move);
}

/** A move without a message: its kind and what it names. */
function plainlyCalled(live: Caller, move: Move): string {
  const parts = shownFields(live.game, move, (seat) => live.name(seat));
  return [kindCalled(live, move.is), ...parts.map(([, shown]) => isolated(String(shown)))].join(' ');
}

export function kindCalled({ game }: Pick<Caller, 'game'>, kind: string): string {
  const key = nameKey(kind);
  const whole = gameText(game, `move.${key}`);
  const bare = whole?.includes('{{') ? undefined : whole; // a move that names nothing
  return gameText(game, `move.${key}_kind`) ?? bare ?? plainName(key);
}
