import { expect, test } from 'vitest';
import { sidesOf, waysOf } from './endings';

const ENDINGS = [
  { winner: 'Good', reason: 'merlin_survived' },
  { winner: 'Evil', reason: 'merlin_assassinated' },
  { winner: 'Evil', reason: 'three_failures' },
];
const CASTING = [
  { side: 'Cats', seats: 3, roles: ['Tom'] },
  { side: 'Mice', seats: 2, roles: ['Jerry'] },
];

test('each side that can win is asked for once', () => {
  expect(sidesOf(ENDINGS, CASTING)).toEqual(['Good', 'Evil']);
});

test('a game that lists no endings is won by a side of its deal', () => {
  expect(sidesOf([], CASTING)).toEqual(['Cats', 'Mice']);
});

test('how a side has won is asked among its own endings', () => {
  expect(waysOf(ENDINGS, 'Evil')).toEqual(['merlin_assassinated', 'three_failures']);
  expect(waysOf(ENDINGS, 'Wolves')).toEqual([]);
});
