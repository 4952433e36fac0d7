/** What a move is called on its button; and its kind, before a target is chosen. */
import type { Live } from '../../table/live.svelte';
import { gameText, list } from '../../text';
import { snakeCase } from '../../text/messages';
import { sentenceOf } from '../../text/sentences';
import type { Move } from '../../protocol/messages';

export type Caller = Pick<Live, 'name' | 'game'>;

export function called(live: Caller, move: Move): string {
  if (move.is === 'ProposeTeam') return list(move.team.map((seat) => live.name(seat)));
  return sentenceOf(live.game, 'move', move, (seat) => live.name(seat)) ?? kindCalled(live, move.is);
}

export const kindCalled = ({ game }: Pick<Caller, 'game'>, kind: string): string =>
  gameText(game, `move.${snakeCase(kind)}_kind`) ?? gameText(game, `move.${snakeCase(kind)}`) ?? kind;
