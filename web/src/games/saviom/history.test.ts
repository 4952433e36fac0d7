import { expect, test } from 'vitest';
import type { Event, Heard } from '../../protocol/messages';
import { deathsIn, trialsIn } from './history';

const heard = (...events: object[]): Heard[] =>
  events.map((event, place) => ({
    is: 'Heard',
    number: place + 1,
    event: { audience: 'everyone', ...event } as unknown as Event,
  }));

test('the grid has a column for every trial', () => {
  const story = heard(
    { is: 'VerdictsCounted', accused: 3, eliminate: [0, 1], save: [2], eliminated: true },
    { is: 'PlayerDied', seat: 3, cause: 'verdict' },
    { is: 'NightEnded', killed: null, quiet: 1 },
    { is: 'VerdictsCounted', accused: 0, eliminate: [], save: [], eliminated: false },
  );
  const { columns } = trialsIn(story);
  expect(columns.map(({ day, accused, eliminated }) => [day, accused, eliminated])).toEqual([
    [1, 3, true],
    [2, 0, false],
  ]);
  expect(columns[0]?.verdicts).toEqual({ 0: false, 1: false, 2: true });
  expect(deathsIn(story).map(({ seat }) => seat)).toEqual([3]);
});
