/** What the player has to do now, from the options that the server offers and the public state. */
import {
  isQuests,
  isSaviom,
  isThavalon,
  type Asked,
  type Card,
  type Move,
  type Offer,
  type Teams,
  type View,
} from '../../protocol/messages';
import { isBuiltIn } from '../../text';
import { pickable, plainTask, type PlainTask } from './plain/options';

/** One kind of move that names one seat or two. */
export type Aim = { kind: string; count: number; moves: Move[] };

export type Task =
  | PlainTask
  | { is: 'nothing' }
  | { is: 'team'; teams: Teams; phase: number }
  | { is: 'ballot'; about: 'team' | 'verdict'; yes: Move; no: Move; isDone: boolean; others: Move[] }
  | { is: 'cards'; cards: Card[]; moves: Move[]; isDone: boolean }
  | { is: 'aim'; aims: Aim[]; others: Move[]; isFinal: boolean }
  | { is: 'night'; aims: Aim[]; isDream: boolean; isDone: boolean }
  | { is: 'window'; others: Move[] };

const FINAL = ['ShootMerlin', 'CallMerlin', 'CallNimue', 'CallLovers', 'CallNobody'];
/** Moves with their own controls, or whose offer would give away a role. */
const APART = ['Surrender', 'DeclareArthur', 'DeclareAgravaine'];

const AVALON_CARDS: Card[] = ['Success', 'Fail'];
const THAVALON_CARDS: Card[] = ['Success', 'Fail', 'Reverse'];

/** `hasDreamt`: whether a player without a night action has tapped a seat. */
export function taskOf(asked: Asked | null, view: View, seat: number, hasDreamt = false): Task {
  const offers = (asked?.options ?? []).filter((offer) => !APART.includes(offer.kind));
  const isOver = view.outcome !== null;
  if (isOver) return { is: 'nothing' };
  if (!isBuiltIn(view.setup.game)) return plainTask(view.setup.game, asked?.options ?? []);
  if (view.phase.name === 'night') return nightOf(offers, view, seat, hasDreamt);
  if (seat < 0) return { is: 'nothing' };
  if (view.phase.name === 'quest') return cardsOf(offers, view, seat);
  if (view.phase.name === 'stand' || view.phase.name === 'reckoning')
    return { is: 'window', others: plain(offers) };
  const team = offers.find((offer) => offer.teams);
  if (team?.teams) return { is: 'team', teams: team.teams, phase: asked?.phase ?? 0 };
  const ballot = ballotOf(offers, view, seat);
  if (ballot) return ballot;
  const aims = offers.map(aimOf).filter((aim) => aim.count > 0);
  const others = plain(offers);
  if (!aims.length && !others.length) return { is: 'nothing' };
  return { is: 'aim', aims, others, isFinal: offers.some((offer) => FINAL.includes(offer.kind)) };
}

/** The targets of a move. */
function targets(move: Move): number[] {
  if ('target' in move) return [move.target];
  return 'targets' in move ? [...move.targets].sort((one, other) => one - other) : [];
}

/** The move of this kind that names these seats. */
export function aimedAt(aim: Aim | undefined, seats: readonly number[]): Move | undefined {
  const wanted = [...seats].sort((one, other) => one - other).join();
  return aim?.moves.find((move) => targets(move).join() === wanted);
}

/** At night every player can tap every living one; the role decides which move that is, if any. */
export function nightMove(aims: readonly Aim[], seat: number): Move | undefined {
  return aims.map((aim) => aimedAt(aim, [seat])).find((move) => move);
}

/** The seats that can be tapped for a task. */
export function tappable(task: Task, view: View, seat: number, aim: number): number[] {
  if (task.is === 'team') return task.teams.eligible;
  if (task.is === 'plain') return task.pickers[aim] ? pickable(task.pickers[aim]) : [];
  if (task.is === 'night' && isSaviom(view)) return view.alive.filter((one) => one !== seat);
  if (task.is === 'aim') return [...new Set((task.aims[aim]?.moves ?? []).flatMap(targets))];
  return [];
}

function cardsOf(offers: Offer[], view: View, seat: number): Task {
  if (!isQuests(view) || !view.proposal?.team.includes(seat)) return { is: 'nothing' };
  const cards = isThavalon(view) ? THAVALON_CARDS : AVALON_CARDS;
  return {
    is: 'cards',
    cards,
    moves: offers.flatMap((offer) => offer.moves),
    isDone: view.cards[seat] !== undefined,
  };
}

/** At night the dead and spectators can tap seats too; theirs is not sent. */
function nightOf(offers: Offer[], view: View, seat: number, hasDreamt: boolean): Task {
  if (!isSaviom(view)) return { is: 'nothing' };
  if (!view.alive.includes(seat)) return { is: 'night', aims: [], isDream: true, isDone: hasDreamt };
  const chosen = [view.hunts, view.protections, view.inspections, view.suspicions];
  const isDone = chosen.some((one) => one[seat] !== undefined);
  return { is: 'night', aims: offers.map(aimOf), isDream: false, isDone };
}

function ballotOf(offers: Offer[], view: View, seat: number): Task | null {
  const moves = offers.flatMap((offer) => offer.moves);
  const yes = moves.find(
    (one) => (one.is === 'CastVote' && one.approve) || (one.is === 'Judge' && !one.eliminate),
  );
  const no = moves.find(
    (one) => (one.is === 'CastVote' && !one.approve) || (one.is === 'Judge' && one.eliminate),
  );
  if (!yes || !no) return null;
  const marks = isQuests(view) ? view.ballots : isSaviom(view) ? view.verdicts : {};
  const others = moves.filter((one) => one !== yes && one !== no);
  const about = yes.is === 'Judge' ? 'verdict' : 'team';
  return { is: 'ballot', about, yes, no, isDone: marks[seat] !== undefined, others };
}

function aimOf(offer: Offer): Aim {
  return { kind: offer.kind, count: offer.moves[0] ? targets(offer.moves[0]).length : 0, moves: offer.moves };
}

function plain(offers: Offer[]): Move[] {
  return offers.filter((offer) => aimOf(offer).count === 0).flatMap((offer) => offer.moves);
}
