/** What a move is called on its button; and its kind, before a target is chosen. */
import type { Live } from '../../table/live.svelte';
import { gameText, isBuiltIn, list, plainName } from '../../text';
import { nameKey } from '../../text/messages';
import { partsOf, sentenceOf } from '../../text/sentences';
import type { Move } from '../../protocol/messages';

export type Caller = Pick<Live, 'name' | 'game'>;

export function called(live: Caller, move: Move): string {
  const name = (seat: number) => live.name(seat);
  if (isBuiltIn(live.game) && move.is === 'ProposeTeam') return list(move.team.map(name));
  return sentenceOf(live.game, 'move', move, name) ?? plainlyCalled(live, move);
}

/** A move without a message: its kind and what it names. */
function plainlyCalled(live: Caller, move: Move): string {
  const parts = partsOf(live.game, move, (seat) => live.name(seat));
  return [kindCalled(live, move.is), ...(isBuiltIn(live.game) ? [] : parts.map(([, shown]) => shown))].join(
    ' ',
  );
}

export function kindCalled({ game }: Pick<Caller, 'game'>, kind: string): string {
  const key = nameKey(kind);
  const named = isBuiltIn(game) ? gameText(game, `move.${key}`) : undefined;
  return gameText(game, `move.${key}_kind`) ?? named ?? plainName(key);
}
