import { expect, test } from 'vitest';
import type { SaviomView } from './view';
import { mostAccused } from './accusations';

const town = (trial_by: 'living' | 'cast', accusations: Record<string, number>) =>
  mostAccused({ alive: [0, 1, 2, 4, 5, 7], accusations, setup: { trial_by } as SaviomView['setup'] });

test('a trial takes more than half of the living', () => {
  expect(town('living', { 0: 4, 1: 2, 5: 4 })).toEqual({ seat: 4, count: 2, needed: 4 });
});

test('or more than half of the votes, where the table wants it so', () => {
  expect(town('cast', { 0: 4, 1: 2, 5: 4 })).toEqual({ seat: 4, count: 2, needed: 2 });
});

test('without accusations no seat has most of them', () => {
  expect(town('living', {})).toBeNull();
});
