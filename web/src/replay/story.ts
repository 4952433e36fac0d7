/** What people will still talk about on the way home: who fooled whom, who had the best nose, what it hung on. */
import type { Event, View } from '../wire/messages';
import { EVIL } from '../fair/deals';

type Happened<Kind extends Event['is']> = Extract<Event, { is: Kind }>;

/** A line of the story: which sentence, and the seats and numbers in it. */
export type Told =
  | { tale: 'fooled'; evil: number; good: number; count: number }
  | { tale: 'nose'; seat: number; count: number; of: number }
  | { tale: 'sabotage'; seat: number; quests: number[] }
  | { tale: 'unseen'; seat: number; count: number }
  | { tale: 'one_vote'; quest: number }
  | { tale: 'stubborn'; quest: number; count: number }
  | { tale: 'shot_right'; assassin: number; target: number }
  | { tale: 'shot_wrong'; assassin: number; target: number; role: string }
  | { tale: 'rescue'; seat: number; target: number }
  | { tale: 'vision'; seat: number; wolves: number[] }
  | { tale: 'innocent'; seat: number; count: number }
  | { tale: 'hunter'; seat: number; count: number; of: number }
  | { tale: 'survivor'; seat: number };

const MOST = 5;

/** The few lines that say most, from all events of a finished game and how it stood in the end. */
export function story(events: readonly Event[], end: View): Told[] {
  const role = (seat: number) => end.roles[seat] ?? '';
  const tales = end.setup.game === 'saviom' ? townStory(events, role, end) : questStory(events, role);
  return tales.slice(0, MOST);
}

type RoleOf = (seat: number) => string;

function questStory(events: readonly Event[], role: RoleOf): Told[] {
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

function shots(events: readonly Event[], role: RoleOf): Told[] {
  return events.flatMap((event): Told[] => {
    if (event.is !== 'MerlinShot' || event.target === null) return [];
    const { assassin, target } = event;
    if (role(target) === 'Merlin') return [{ tale: 'shot_right', assassin, target }];
    return [{ tale: 'shot_wrong', assassin, target, role: role(target) }];
  });
}

/** Whoever said yes most often to teams with the same traitor on it. */
function fooled(polls: readonly Poll[], isEvil: (seat: number) => boolean): Told[] {
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
  return [{ tale: 'fooled', evil, good, count }];
}

/** The Good seat that turned down the largest share of the teams with Evil on them. */
function nose(polls: readonly Poll[], isEvil: (seat: number) => boolean): Told[] {
  const rotten = polls.filter(({ team }) => team.some(isEvil));
  const seats = [...(polls[0]?.ballots.keys() ?? [])].filter((seat) => !isEvil(seat));
  const [seat, count] = best(seats, (one) => rotten.filter(({ ballots }) => ballots[one] === false).length);
  return seat === null || rotten.length < 2 || count < 2
    ? []
    : [{ tale: 'nose', seat, count, of: rotten.length }];
}

/** Who laid the cards that brought quests down. */
function sabotage(events: readonly Event[]): Told[] {
  const spoilt = new Map<number, number[]>();
  for (const { seat, quest, card } of cardsIn(events))
    if (card === 'Fail') spoilt.set(seat, [...(spoilt.get(seat) ?? []), quest]);
  const [seat] = best([...spoilt.keys()], (one) => spoilt.get(one)?.length ?? 0);
  return seat === null ? [] : [{ tale: 'sabotage', seat, quests: spoilt.get(seat) ?? [] }];
}

/** An Evil seat that rode on quests and let them succeed. */
function unseen(events: readonly Event[], isEvil: (seat: number) => boolean): Told[] {
  const quiet = cardsIn(events).filter(({ seat, card }) => isEvil(seat) && card === 'Success');
  const [seat, count] = mostOften(quiet.map((one) => String(one.seat)));
  return seat && count > 1 ? [{ tale: 'unseen', seat: Number(seat), count }] : [];
}

function narrow(polls: readonly Poll[]): Told[] {
  const close = polls.find(({ approved, ballots }) => {
    const yes = ballots.filter(Boolean).length;
    return approved && yes - (ballots.length - yes) === 1;
  });
  return close ? [{ tale: 'one_vote', quest: close.quest }] : [];
}

function stubborn(polls: readonly Poll[]): Told[] {
  const [quest, count] = mostOften(polls.map((poll) => String(poll.quest)));
  return quest && count > 2 ? [{ tale: 'stubborn', quest: Number(quest), count }] : [];
}

/** Every quest card with its quest, as the game laid it: the last choice before the cards are turned counts. */
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

function townStory(events: readonly Event[], role: RoleOf, end: View): Told[] {
  const isWolf = (seat: number) => role(seat) === 'Wolf';
  return [
    ...rescues(events),
    ...visions(events),
    ...accusers(events, isWolf),
    ...innocents(events, isWolf),
    ...survivors(end, isWolf),
  ];
}

/** A night in which the Wolves agreed on somebody, and that somebody was protected. */
function rescues(events: readonly Event[]): Told[] {
  const found: Told[] = [];
  let hunted = new Map<number, number>();
  let guard: Happened<'ProtectionChosen'> | null = null;
  for (const event of events) {
    if (event.is === 'HuntMarked') hunted.set(event.seat, event.target);
    if (event.is === 'ProtectionChosen') guard = event;
    if (event.is !== 'NightEnded') continue;
    const [target, count] = mostOften([...hunted.values()].map(String));
    if (event.killed === null && guard && Number(target) === guard.target && 2 * count > hunted.size)
      found.push({ tale: 'rescue', seat: guard.seat, target: guard.target });
    hunted = new Map();
    guard = null;
  }
  return found.slice(0, 2);
}

function visions(events: readonly Event[]): Told[] {
  const seen = events.filter((event) => event.is === 'InspectionShown') as Happened<'InspectionShown'>[];
  const wolves = [...new Set(seen.filter(({ is_wolf }) => is_wolf).map(({ target }) => target))];
  const seer = seen[0]?.seat;
  return seer === undefined || !wolves.length ? [] : [{ tale: 'vision', seat: seer, wolves }];
}

/** The townsman whose accusations hit Wolves most often. */
function accusers(events: readonly Event[], isWolf: (seat: number) => boolean): Told[] {
  const made = events.filter((event) => event.is === 'AccusationMade') as Happened<'AccusationMade'>[];
  const seats = [...new Set(made.map(({ seat }) => seat))].filter((seat) => !isWolf(seat));
  const hits = (seat: number) => made.filter((one) => one.seat === seat && isWolf(one.target)).length;
  const [seat, count] = best(seats, hits);
  if (seat === null || count < 1) return [];
  return [{ tale: 'hunter', seat, count, of: made.filter((one) => one.seat === seat).length }];
}

function innocents(events: readonly Event[], isWolf: (seat: number) => boolean): Told[] {
  const trials = events.filter((event) => event.is === 'VerdictsCounted') as Happened<'VerdictsCounted'>[];
  const wronged = trials.find(({ accused, eliminated }) => eliminated && !isWolf(accused));
  return wronged ? [{ tale: 'innocent', seat: wronged.accused, count: wronged.eliminate.length }] : [];
}

function survivors(end: View, isWolf: (seat: number) => boolean): Told[] {
  const alive = 'alive' in end ? end.alive.filter((seat) => !isWolf(seat)) : [];
  return alive.length === 1 ? [{ tale: 'survivor', seat: alive[0] as number }] : [];
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
