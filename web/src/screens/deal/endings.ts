/** The answers to who won, from the endings of a game (`GET /api/games`). */
import type { GameList } from '../../protocol/api';
import type { Room } from '../../protocol/messages';

type Ending = GameList['games'][number]['endings'][number];

/** The sides that can win, as the endings name them; or those of the deal, where a game lists no endings. */
export function sidesOf(endings: readonly Ending[], casting: Room['casting']): string[] {
  const named = endings.flatMap(({ winner }) => (winner ? [winner] : []));
  return [...new Set(named.length ? named : casting.map(({ side }) => side))];
}

/** The reasons for which a side can win. */
export const waysOf = (endings: readonly Ending[], winner: string): string[] =>
  endings.filter((ending) => ending.winner === winner).map(({ reason }) => reason);
