/** What a player in town has to do now: accuse, judge, or choose at night. */
import type { Asked, Move, Offer } from '../../protocol/messages';
import { t } from '../../text';
import { NOTHING, type Rest } from '../game';
import {
  aimedAt,
  aimOf,
  aimTaskOf,
  ballotOf,
  plainMoves,
  type Aim,
  type AimTask,
  type BallotTask,
} from '../parts/aims';
import { hasChosen, type SaviomView } from './view';

export type NightTask = {
  is: 'night';
  aims: Aim[];
  /** Whether a tap stays with the player: the dead and spectators tap seats too. */
  isDream: boolean;
  isDone: boolean;
  /** What is said once the choice is made. */
  note: string;
  /** Moves that name no seat: to lock in (S11). */
  others: Move[];
  taps: { seats: number[]; limit: number };
};
export type TownTask = BallotTask | AimTask | NightTask | Rest;

/** It has its place beside the ways to end the game. */
export const SURRENDER = 'Surrender';

type Chosen = { aim: number; kept: number | null };

export function townTask(asked: Asked | null, view: SaviomView, seat: number, chosen: Chosen): TownTask {
  const offers = (asked?.options ?? []).filter(({ kind }) => kind !== SURRENDER);
  if (view.outcome) return NOTHING;
  if (view.locked.includes(seat)) return { is: 'nothing', note: t('saviom:hint.locked') };
  if (view.phase.name === 'night') return nightTask(offers, view, seat, chosen.kept !== null);
  if (seat < 0) return NOTHING;
  if (view.phase.name === 'defense' && view.accused === seat)
    return { is: 'nothing', note: t('saviom:hint.defend') };
  return verdict(offers, view, seat) ?? aimTaskOf(offers, chosen.aim) ?? NOTHING;
}

function nightTask(offers: Offer[], view: SaviomView, seat: number, hasTapped: boolean): NightTask {
  const taps = { seats: view.alive.filter((one) => one !== seat), limit: 1 };
  if (!view.alive.includes(seat))
    return { is: 'night', aims: [], isDream: true, isDone: hasTapped, note: '', others: [], taps };
  const aims = offers.map(aimOf).filter((aim) => aim.count > 0);
  return {
    is: 'night',
    aims,
    isDream: false,
    isDone: hasChosen(view, seat),
    note: t('saviom:hint.night_chosen'),
    others: plainMoves(offers),
    taps,
  };
}

/** At night every player can tap every living one; the role decides which move that is, if any. */
export function nightMove(aims: readonly Aim[], seat: number): Move | undefined {
  return aims.map((aim) => aimedAt(aim, [seat])).find((move) => move);
}

function verdict(offers: Offer[], view: SaviomView, seat: number): BallotTask | undefined {
  const found = ballotOf(
    offers,
    (one) => one.is === 'Judge' && !one.eliminate,
    (one) => one.is === 'Judge' && one.eliminate,
  );
  return (
    found && {
      ...found,
      hint: t('saviom:hint.verdict_secret'),
      note: t('table.vote_cast'),
      isDone: view.verdicts[seat] !== undefined,
    }
  );
}
