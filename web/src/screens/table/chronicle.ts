/** Every proposal and every trial so far, and what was claimed meanwhile: out of what was heard, in order. */
import type { Event, Heard } from '../../wire/messages';

type Claim = Extract<Event, { is: 'Remarked' }>;
type Result = Extract<Event, { is: 'QuestResolved' }>;
type Ending = 'open' | 'approved' | 'rejected' | 'missed' | 'withdrawn';

/** A column of the grid: a proposal with its votes, or a trial with its verdicts. */
export type Column = {
  quest: number; // or the day
  attempt: number;
  leader: number; // or the accused
  team: readonly number[];
  excalibur: number | null;
  marks: Record<number, boolean>;
  ending: Ending;
  result: Result | null;
};
type Place = { claim: Claim; column: number };
export type Chronicle = {
  columns: Column[];
  claims: Place[];
  deaths: Extract<Event, { is: 'PlayerDied' }>[];
};

const CLAIMS = ['i_am', 'i_saw', 'i_examined', 'i_protected', 'i_played'];

export function chronicle(heard: readonly Heard[]): Chronicle {
  const told: Chronicle = { columns: [], claims: [], deaths: [] };
  const at = { quest: 1, attempt: 1, day: 1 };
  for (const { event } of heard) absorb(told, at, event);
  return told;
}

function absorb(told: Chronicle, at: { quest: number; attempt: number; day: number }, event: Event): void {
  const latest = told.columns.at(-1);
  switch (event.is) {
    case 'LeaderNamed':
      at.attempt = event.attempt;
      break;
    case 'TeamProposed':
      at.quest = event.quest;
      told.columns.push({
        ...blank(event.quest, at.attempt, event.leader),
        team: event.team,
        excalibur: event.excalibur,
      });
      break;
    case 'ProposalMissed':
      told.columns.push({ ...blank(at.quest, at.attempt, event.leader), ending: 'missed' });
      break;
    case 'TeamWithdrawn':
      if (latest) latest.ending = 'withdrawn';
      break;
    case 'VotesCounted':
      if (!latest) break;
      latest.marks = { ...event.ballots };
      latest.ending = event.approved ? 'approved' : 'rejected';
      break;
    case 'QuestResolved':
      for (const column of told.columns.slice(-2)) if (isOf(column, event)) column.result = event;
      at.quest = event.quest + 1;
      break;
    case 'VerdictsCounted':
      told.columns.push(trial(event, at.day));
      break;
    case 'NightEnded':
      at.day += 1;
      break;
    case 'PlayerDied':
      told.deaths.push(event);
      break;
    case 'Remarked':
      if (event.channel === 'table' && CLAIMS.includes(event.phrase))
        told.claims.push({ claim: event, column: told.columns.length - 1 });
      break;
  }
}

const blank = (quest: number, attempt: number, leader: number): Column => ({
  quest,
  attempt,
  leader,
  team: [],
  excalibur: null,
  marks: {},
  ending: 'open',
  result: null,
});

const isOf = (column: Column, result: Result) =>
  column.quest === result.quest && [...column.team].sort().join() === [...result.team].sort().join();

function trial(event: Extract<Event, { is: 'VerdictsCounted' }>, day: number): Column {
  const marks = Object.fromEntries([
    ...event.eliminate.map((seat) => [seat, false] as const),
    ...event.save.map((seat) => [seat, true] as const),
  ]);
  return { ...blank(day, 1, event.accused), marks, ending: event.eliminated ? 'rejected' : 'approved' };
}
