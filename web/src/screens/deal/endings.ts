/** The answers to who won, from the endings that the host can announce (`endings` in `Room`). */
import type { Room } from '../../protocol/messages';

type Endings = Room['endings'];

/** The reason that stands for none: the host says which side has won, and no more. */
export const NO_REASON = 'told';

/** The sides that can win. */
export const sidesOf = (endings: Endings): string[] => [
  ...new Set(endings.flatMap(({ winner }) => (winner ? [winner] : []))),
];

/** The reasons for which a side can win. */
export const waysOf = (endings: Endings, winner: string): string[] =>
  endings
    .filter((ending) => ending.winner === winner && ending.reason !== NO_REASON)
    .map(({ reason }) => reason);
