/** Every proposal and trial so far, and the claims between them, from the events heard. */
import type { Event, Heard } from '../../protocol/messages';

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
export type History = {
  columns: Column[];
  claims: Place[];
  deaths: Extract<Event, { is: 'PlayerDied' }>[];
};

const CLAIMS = ['i_am', 'i_saw', 'i_examined', 'i_protected', 'i_played'];

export function historyOf(heard: readonly Heard[]): History {
  const history: History = { columns: [], claims: [], deaths: [] };
  const at = { quest: 1, attempt: 1, day: 1 };
  for (const { event } of heard) absorb(history, at, event);
  return history;
}

function absorb(history: History, at: { quest: number; attempt: number; day: number }, event: Event): void {
  const latest = history.columns.at(-1);
  switch (event.is) {
    case 'LeaderNamed':
      at.attempt = event.attempt;
      break;
    case 'TeamProposed':
      at.quest = event.quest;
      history.columns.push({
        ...blank(event.quest, at.attempt, event.leader),
        team: event.team,
        excalibur: event.excalibur,
      });
      break;
    case 'ProposalMissed':
      history.columns.push({ ...blank(at.quest, at.attempt, event.leader), ending: 'missed' });
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
      for (const column of history.columns.slice(-2)) if (isOf(column, event)) column.result = event;
      at.quest = event.quest + 1;
      break;
    case 'VerdictsCounted':
      history.columns.push(trial(event, at.day));
      break;
    case 'NightEnded':
      at.day += 1;
      break;
    case 'PlayerDied':
      history.deaths.push(event);
      break;
    case 'Remarked':
      if (event.channel === 'table' && CLAIMS.includes(event.phrase))
        history.claims.push({ claim: event, column: history.columns.length - 1 });
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
