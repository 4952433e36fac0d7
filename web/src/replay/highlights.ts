/** Highlights of a finished game: who fooled whom, who saw through it, what was close. */
import { isQuests, isSaviom, rolesOf, type Event, type View } from '../protocol/messages';
import { EVIL } from '../fair/deals';

type Happened<Kind extends Event['is']> = Extract<Event, { is: Kind }>;

/** A highlight: which sentence, and the seats and numbers in it. */
export type Highlight =
  | { is: 'fooled'; evil: number; good: number; count: number }
  | { is: 'sharp_eye'; seat: number; count: number; of: number }
  | { is: 'sabotage'; seat: number; quests: number[] }
  | { is: 'lay_low'; seat: number; count: number }
  | { is: 'one_vote'; quest: number }
  | { is: 'many_proposals'; quest: number; count: number }
  | { is: 'merlin_found'; assassin: number; target: number }
  | { is: 'merlin_missed'; assassin: number; target: number; role: string }
  | { is: 'rescue'; seat: number; target: number }
  | { is: 'vision'; seat: number; wolves: number[] }
  | { is: 'innocent'; seat: number; count: number }
  | { is: 'accuser'; seat: number; count: number; of: number }
  | { is: 'survivor'; seat: number };

const MOST = 5;

/** The most telling highlights, from all events of a finished game and its last view. */
export function highlightsOf(events: readonly Event[], end: View): Highlight[] {
  const role = (seat: number) => rolesOf(end)[seat] ?? '';
  if (isSaviom(end)) return townHighlights(events, role, end).slice(0, MOST);
  return isQuests(end) ? questHighlights(events, role).slice(0, MOST) : [];
}

type RoleOf = (seat: number) => string;

function questHighlights(events: readonly Event[], role: RoleOf): Highlight[] {
  const polls = pollsIn(events);
  const isEvil = (seat: number) => EVIL.includes(role(seat));
  return [
    ...shots(events, role),
    ...fooled(polls, isEvil),
    ...sabotage(events),
    ...nose(polls, isEvil),
    ...unseen(events, isEvil),
    ...narrow(polls),
    ...stubborn(polls),
  ];
}

type Poll = { quest: number; team: number[]; ballots: boolean[]; approved: boolean };

function pollsIn(events: readonly Event[]): Poll[] {
  const polls: Poll[] = [];
  let proposal: Happened<'TeamProposed'> | null = null;
  for (const event of events) {
    if (event.is === 'TeamProposed') proposal = event;
    if (event.is === 'VotesCounted' && proposal)
      polls.push({ quest: proposal.quest, team: proposal.team, ...event });
  }
  return polls;
}

function shots(events: readonly Event[], role: RoleOf): Highlight[] {
  return events.flatMap((event): Highlight[] => {
    if (event.is !== 'MerlinShot' || event.target === null) return [];
    const { assassin, target } = event;
    if (role(target) === 'Merlin') return [{ is: 'merlin_found', assassin, target }];
    return [{ is: 'merlin_missed', assassin, target, role: role(target) }];
  });
}

/** The Good seat that approved teams with the same Evil player most often. */
function fooled(polls: readonly Poll[], isEvil: (seat: number) => boolean): Highlight[] {
  const pairs = polls.flatMap(({ team, ballots }) =>
    team
      .filter(isEvil)
      .flatMap((evil) =>
        ballots.flatMap((approve, good) => (approve && !isEvil(good) ? [`${evil} ${good}`] : [])),
      ),
  );
  const [pair, count] = mostOften(pairs);
  if (!pair || count < 2) return [];
  const [evil, good] = pair.split(' ').map(Number) as [number, number];
  return [{ is: 'fooled', evil, good, count }];
}

/** The Good seat that rejected most teams with Evil on them. */
function nose(polls: readonly Poll[], isEvil: (seat: number) => boolean): Highlight[] {
  const rotten = polls.filter(({ team }) => team.some(isEvil));
  const seats = [...(polls[0]?.ballots.keys() ?? [])].filter((seat) => !isEvil(seat));
  const [seat, count] = best(seats, (one) => rotten.filter(({ ballots }) => ballots[one] === false).length);
  return seat === null || rotten.length < 2 || count < 2
    ? []
    : [{ is: 'sharp_eye', seat, count, of: rotten.length }];
}

/** The seat that played most Fails. */
function sabotage(events: readonly Event[]): Highlight[] {
  const spoilt = new Map<number, number[]>();
  for (const { seat, quest, card } of cardsIn(events))
    if (card === 'Fail') spoilt.set(seat, [...(spoilt.get(seat) ?? []), quest]);
  const [seat] = best([...spoilt.keys()], (one) => spoilt.get(one)?.length ?? 0);
  return seat === null ? [] : [{ is: 'sabotage', seat, quests: spoilt.get(seat) ?? [] }];
}

/** The Evil seat that played Success most often. */
function unseen(events: readonly Event[], isEvil: (seat: number) => boolean): Highlight[] {
  const quiet = cardsIn(events).filter(({ seat, card }) => isEvil(seat) && card === 'Success');
  const [seat, count] = mostOften(quiet.map((one) => String(one.seat)));
  return seat && count > 1 ? [{ is: 'lay_low', seat: Number(seat), count }] : [];
}

function narrow(polls: readonly Poll[]): Highlight[] {
  const close = polls.find(({ approved, ballots }) => {
    const yes = ballots.filter(Boolean).length;
    return approved && yes - (ballots.length - yes) === 1;
  });
  return close ? [{ is: 'one_vote', quest: close.quest }] : [];
}

function stubborn(polls: readonly Poll[]): Highlight[] {
  const [quest, count] = mostOften(polls.map((poll) => String(poll.quest)));
  return quest && count > 2 ? [{ is: 'many_proposals', quest: Number(quest), count }] : [];
}

/** Every quest card with its quest; a later choice replaces an earlier one. */
export function cardsIn(events: readonly Event[]): { seat: number; quest: number; card: string }[] {
  const all: { seat: number; quest: number; card: string }[] = [];
  let laid = new Map<number, string>();
  for (const event of events) {
    if (event.is === 'CardChosen') laid.set(event.seat, event.card);
    if (event.is !== 'QuestResolved') continue;
    for (const [seat, card] of laid) all.push({ seat, quest: event.quest, card });
    laid = new Map();
  }
  return all;
}

function townHighlights(events: readonly Event[], role: RoleOf, end: View): Highlight[] {
  const isWolf = (seat: number) => role(seat) === 'Wolf';
  return [
    ...rescues(events),
    ...visions(events),
    ...accusers(events, isWolf),
    ...innocents(events, isWolf),
    ...survivors(end, isWolf),
  ];
}

/** A night in which the Protector chose the Wolves' target. */
function rescues(events: readonly Event[]): Highlight[] {
  const found: Highlight[] = [];
  let hunted = new Map<number, number>();
  let guard: Happened<'ProtectionChosen'> | null = null;
  for (const event of events) {
    if (event.is === 'HuntMarked') hunted.set(event.seat, event.target);
    if (event.is === 'ProtectionChosen') guard = event;
    if (event.is !== 'NightEnded') continue;
    const [target, count] = mostOften([...hunted.values()].map(String));
    if (event.killed === null && guard && Number(target) === guard.target && 2 * count > hunted.size)
      found.push({ is: 'rescue', seat: guard.seat, target: guard.target });
    hunted = new Map();
    guard = null;
  }
  return found.slice(0, 2);
}

function visions(events: readonly Event[]): Highlight[] {
  const seen = events.filter((event) => event.is === 'InspectionShown') as Happened<'InspectionShown'>[];
  const wolves = [...new Set(seen.filter(({ is_wolf }) => is_wolf).map(({ target }) => target))];
  const seer = seen[0]?.seat;
  return seer === undefined || !wolves.length ? [] : [{ is: 'vision', seat: seer, wolves }];
}

/** The Citizen whose accusations hit Wolves most often. */
function accusers(events: readonly Event[], isWolf: (seat: number) => boolean): Highlight[] {
  const made = events.filter((event) => event.is === 'AccusationMade') as Happened<'AccusationMade'>[];
  const seats = [...new Set(made.map(({ seat }) => seat))].filter((seat) => !isWolf(seat));
  const hits = (seat: number) => made.filter((one) => one.seat === seat && isWolf(one.target)).length;
  const [seat, count] = best(seats, hits);
  if (seat === null || count < 1) return [];
  return [{ is: 'accuser', seat, count, of: made.filter((one) => one.seat === seat).length }];
}

function innocents(events: readonly Event[], isWolf: (seat: number) => boolean): Highlight[] {
  const trials = events.filter((event) => event.is === 'VerdictsCounted') as Happened<'VerdictsCounted'>[];
  const wronged = trials.find(({ accused, eliminated }) => eliminated && !isWolf(accused));
  return wronged ? [{ is: 'innocent', seat: wronged.accused, count: wronged.eliminate.length }] : [];
}

function survivors(end: View, isWolf: (seat: number) => boolean): Highlight[] {
  const alive = 'alive' in end ? end.alive.filter((seat) => !isWolf(seat)) : [];
  return alive.length === 1 ? [{ is: 'survivor', seat: alive[0] as number }] : [];
}

function mostOften(names: readonly string[]): [string | undefined, number] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0] ?? [undefined, 0];
}

function best(seats: readonly number[], score: (seat: number) => number): [number | null, number] {
  const [seat] = [...seats].sort((one, other) => score(other) - score(one));
  return seat === undefined ? [null, 0] : [seat, score(seat)];
}
