import { expect, test } from 'vitest';
import type { Event } from './messages';
import { wasPlayed } from './replay';

const events = (...names: string[]) => names.map((is) => ({ is }) as Event);
const DEALT = ['TableOpened', 'SeedSealed', 'RoleDealt', 'FloorGiven', 'LeaderNamed', 'PhaseBegan'];

test('a game that was only dealt was not played here', () => {
  expect(wasPlayed(events(...DEALT, 'FloorGiven', 'ClockPaused', 'GameEnded', 'SecretsRevealed'))).toBe(
    false,
  );
  expect(wasPlayed(events('TableOpened', 'SeedSealed', 'GameEnded'))).toBe(false);
});

test('a move, a remark or a second phase shows that a game was played', () => {
  for (const one of ['TeamProposed', 'Said', 'PhaseBegan'])
    expect(wasPlayed(events(...DEALT, one, 'GameEnded'))).toBe(true);
});
