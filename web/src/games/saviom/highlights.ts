/** Highlights of a game of Saviom: who was saved, seen, accused and wronged. */
import type { Event, Happened } from '../../protocol/messages';
import { list, t } from '../../text';
import type { Naming } from '../../text/sentences';
import { best, mostOften } from '../parts/counting';
import type { SaviomView } from './view';

export function townHighlights(events: readonly Event[], end: SaviomView, name: Naming): string[] {
  const isWolf = (seat: number) => end.roles[seat] === 'Wolf';
  return [
    ...rescues(events, name),
    ...visions(events, name),
    ...accusers(events, isWolf, name),
    ...innocents(events, isWolf, name),
    ...survivors(end, isWolf, name),
  ];
}

type IsWolf = (seat: number) => boolean;

/** A night in which the Protector chose the Wolves' target. */
function rescues(events: readonly Event[], name: Naming): string[] {
  const found: string[] = [];
  let hunted = new Map<number, number>();
  let guard: Happened<'ProtectionChosen'> | null = null;
  for (const event of events) {
    if (event.is === 'HuntMarked') hunted.set(event.seat, event.target);
    if (event.is === 'ProtectionChosen') guard = event;
    if (event.is !== 'NightEnded') continue;
    const [target, count] = mostOften([...hunted.values()].map(String));
    if (event.killed === null && guard && Number(target) === guard.target && 2 * count > hunted.size)
      found.push(t('saviom:highlight.rescue', { name: name(guard.seat), target: name(guard.target) }));
    hunted = new Map();
    guard = null;
  }
  return found.slice(0, 2);
}

function visions(events: readonly Event[], name: Naming): string[] {
  const seen = events.filter((event) => event.is === 'InspectionShown') as Happened<'InspectionShown'>[];
  const wolves = [...new Set(seen.filter(({ is_wolf }) => is_wolf).map(({ target }) => target))];
  const seer = seen[0]?.seat;
  if (seer === undefined || !wolves.length) return [];
  return [t('saviom:highlight.vision', { name: name(seer), wolves: list(wolves.map(name)) })];
}

/** The Citizen whose accusations hit Wolves most often. */
function accusers(events: readonly Event[], isWolf: IsWolf, name: Naming): string[] {
  const made = events.filter((event) => event.is === 'AccusationMade') as Happened<'AccusationMade'>[];
  const seats = [...new Set(made.map(({ seat }) => seat))].filter((seat) => !isWolf(seat));
  const hits = (seat: number) => made.filter((one) => one.seat === seat && isWolf(one.target)).length;
  const [seat, count] = best(seats, hits);
  if (seat === null || count < 1) return [];
  const of = made.filter((one) => one.seat === seat).length;
  return [t('saviom:highlight.accuser', { name: name(seat), count, of })];
}

function innocents(events: readonly Event[], isWolf: IsWolf, name: Naming): string[] {
  const trials = events.filter((event) => event.is === 'VerdictsCounted') as Happened<'VerdictsCounted'>[];
  const wronged = trials.find(({ accused, eliminated }) => eliminated && !isWolf(accused));
  if (!wronged) return [];
  return [t('saviom:highlight.innocent', { name: name(wronged.accused), count: wronged.eliminate.length })];
}

function survivors(end: SaviomView, isWolf: IsWolf, name: Naming): string[] {
  const [last, ...others] = end.alive.filter((seat) => !isWolf(seat));
  return last === undefined || others.length ? [] : [t('saviom:highlight.survivor', { name: name(last) })];
}
