import { expect, test } from 'vitest';
import { sidesOf, waysOf } from './endings';

const ENDINGS = [
  { winner: 'Good', reason: 'three_successes' },
  { winner: 'Evil', reason: 'five_rejections' },
  { winner: 'Evil', reason: 'three_failures' },
  { winner: 'Good', reason: 'told' },
  { winner: 'Evil', reason: 'told' },
  { winner: null, reason: 'no_winner' },
];

test('each side that can win is asked for once', () => {
  expect(sidesOf(ENDINGS)).toEqual(['Good', 'Evil']);
  expect(sidesOf([{ winner: 'Cats', reason: 'told' }])).toEqual(['Cats']);
});

test('how a side has won is asked among its own endings', () => {
  expect(waysOf(ENDINGS, 'Evil')).toEqual(['five_rejections', 'three_failures']);
  expect(waysOf(ENDINGS, 'Wolves')).toEqual([]);
});
