/** Tasks that several games have: a vote for or against, and moves that name seats. */
import type { Move, Offer } from '../../protocol/messages';

/** One kind of move that names one seat or two. */
export type Aim = { kind: string; count: number; moves: Move[] };

export type BallotTask = {
  is: 'ballot';
  hint: string;
  yes: Move;
  no: Move;
  others: Move[];
  isDone: boolean;
  /** What is said once the vote is in. */
  note: string;
};
export type AimTask = {
  is: 'aim';
  aims: Aim[];
  others: Move[];
  isFinal: boolean;
  taps: { seats: number[]; limit: number };
};

/** A choice between two moves; undefined where one of them is not offered. */
export function ballotOf(
  offers: readonly Offer[],
  isYes: (move: Move) => boolean,
  isNo: (move: Move) => boolean,
): Pick<BallotTask, 'is' | 'yes' | 'no' | 'others'> | undefined {
  const moves = offers.flatMap((offer) => offer.moves);
  const [yes, no] = [moves.find(isYes), moves.find(isNo)];
  return yes && no && { is: 'ballot', yes, no, others: moves.filter((one) => one !== yes && one !== no) };
}

/** `chosen`: which of the aims. */
export function aimTaskOf(offers: readonly Offer[], chosen: number, isFinal = false): AimTask | undefined {
  const aims = offers.map(aimOf).filter((aim) => aim.count > 0);
  const others = plainMoves(offers);
  if (!aims.length && !others.length) return undefined;
  const seats = [...new Set((aims[chosen]?.moves ?? []).flatMap(targets))];
  return { is: 'aim', aims, others, isFinal, taps: { seats, limit: aims[chosen]?.count ?? 1 } };
}

/** The moves that name no seat. */
export const plainMoves = (offers: readonly Offer[]): Move[] =>
  offers.filter((offer) => aimOf(offer).count === 0).flatMap((offer) => offer.moves);

export function aimOf(offer: Offer): Aim {
  return { kind: offer.kind, count: offer.moves[0] ? targets(offer.moves[0]).length : 0, moves: offer.moves };
}

/** The move of this kind that names these seats. */
export function aimedAt(aim: Aim | undefined, seats: readonly number[]): Move | undefined {
  const wanted = [...seats].sort((one, other) => one - other).join();
  return aim?.moves.find((move) => targets(move).join() === wanted);
}

function targets(move: Move): number[] {
  if ('target' in move) return [move.target];
  return 'targets' in move ? [...move.targets].sort((one, other) => one - other) : [];
}
