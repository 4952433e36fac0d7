import { expect, test } from 'vitest';
import { ModeratorNotes } from './notes.svelte';

test('marks are kept for this game of this table, and no other', () => {
  const notes = new ModeratorNotes('K7MPQ2', 3);
  expect(notes.of(2)).toBe('alive');
  notes.mark(2, 'killed');
  notes.mark(4, 'eliminated');
  notes.mark(4, 'saved');
  expect([2, 4, 5].map((seat) => notes.of(seat))).toEqual(['killed', 'saved', 'alive']);
  const again = new ModeratorNotes('K7MPQ2', 3);
  expect([2, 4].map((seat) => again.of(seat))).toEqual(['killed', 'saved']);
  expect(new ModeratorNotes('K7MPQ2', 4).of(2)).toBe('alive');
  expect(new ModeratorNotes('ZZZZZZ', 3).of(2)).toBe('alive');
});
