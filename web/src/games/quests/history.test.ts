import { describe, expect, it } from 'vitest';
import type { Event, Heard } from '../../protocol/messages';
import { proposalsIn } from './history';

const heard = (...events: object[]): Heard[] =>
  events.map((event, place) => ({
    is: 'Heard',
    number: place + 1,
    event: { audience: 'everyone', ...event } as unknown as Event,
  }));
const claim = (seat: number, word: string) => ({
  is: 'Remarked',
  seat,
  channel: 'table',
  phrase: 'i_am',
  about: null,
  word,
});

describe('the grid of votes', () => {
  const history = proposalsIn(
    heard(
      claim(0, 'Merlin'),
      { is: 'LeaderNamed', seat: 1, attempt: 1 },
      { is: 'TeamProposed', leader: 1, quest: 1, team: [0, 1], excalibur: null },
      { is: 'VotesCounted', ballots: [true, false, false], approved: false },
      { is: 'LeaderNamed', seat: 2, attempt: 2 },
      { is: 'ProposalMissed', leader: 2 },
      { is: 'LeaderNamed', seat: 0, attempt: 3 },
      { is: 'TeamProposed', leader: 0, quest: 1, team: [0, 2], excalibur: null },
      claim(2, 'Percival'),
      { ...claim(2, 'Evil'), channel: 'evil' },
      { is: 'VotesCounted', ballots: [true, true, false], approved: true },
      { is: 'QuestResolved', quest: 1, team: [0, 2], successes: 1, fails: 1, reverses: 0, succeeded: false },
    ),
  );

  it('has a column for every proposal, with its votes and its end', () => {
    expect(history.columns.map((column) => [column.quest, column.attempt, column.ending])).toEqual([
      [1, 1, 'rejected'],
      [1, 2, 'missed'],
      [1, 3, 'approved'],
    ]);
    expect(history.columns[0]?.ballots).toEqual({ 0: true, 1: false, 2: false });
    expect(history.columns.map((column) => column.result?.succeeded)).toEqual([undefined, undefined, false]);
  });

  it('puts what was claimed openly beside the proposal of that time', () => {
    expect(history.claims.map(({ claim: { seat, word }, column }) => [seat, word, column])).toEqual([
      [0, 'Merlin', -1],
      [2, 'Percival', 2],
    ]);
  });
});
