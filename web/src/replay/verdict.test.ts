import { expect, test } from 'vitest';
import { verdictOf } from './verdict';

test('a side wins, or none; where cards were only dealt, nobody is said to have lost', () => {
  expect(verdictOf('avalon', 'Evil', 'three_failures')).toBe('Victory for Evil');
  expect(verdictOf('avalon', null, 'called_off')).toBe('No one wins');
  expect(verdictOf('avalon', null, 'untold')).toBe('Played face to face');
});
