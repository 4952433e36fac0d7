import { expect, test } from 'vitest';
import { SeatFates } from './fates.svelte';

test('marks are kept for this game of this table, and no other', () => {
  const fates = new SeatFates('K7MPQ2', 3);
  expect(fates.of(2)).toBe('alive');
  fates.mark(2, 'killed');
  fates.mark(4, 'eliminated');
  fates.mark(4, 'saved');
  expect([2, 4, 5].map((seat) => fates.of(seat))).toEqual(['killed', 'saved', 'alive']);
  const again = new SeatFates('K7MPQ2', 3);
  expect([2, 4].map((seat) => again.of(seat))).toEqual(['killed', 'saved']);
  expect(new SeatFates('K7MPQ2', 4).of(2)).toBe('alive');
  expect(new SeatFates('ZZZZZZ', 3).of(2)).toBe('alive');
});
