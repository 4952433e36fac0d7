import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { uiOf } from '.';
import { canonical, commitmentTo, dealKey, Stream, type Contribution } from '../fair/chance';
import type { Setup } from '../protocol/messages';
import type { Deal } from './game';

type Vector = {
  name: string;
  seed: string;
  setup: Setup;
  contributions: Record<string, string>;
  commitment: string;
  deal: Deal;
};
const vectors = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url), 'utf8')) as Vector[];
const VECTORS = [...vectors('deals.json'), ...vectors('every_size.json')];

test.each(VECTORS)(
  '$name is dealt as the server deals it',
  ({ seed, setup, contributions, commitment, deal }) => {
    const given: Contribution[] = Object.entries(contributions)
      .reverse() // contributions are ordered by seat, not by time
      .map(([seat, entropy]) => ({ seat: Number(seat), entropy }));
    expect(commitmentTo(seed)).toBe(commitment);
    const stream = new Stream(dealKey(seed, setup, given), 'deal');
    expect(uiOf(setup.game).dealing?.repeat(setup, stream)).toEqual(deal);
  },
);

test('there are vectors of every game, with and without contributions', () => {
  const kinds = new Set(
    VECTORS.map(({ setup, contributions }) => `${setup.game} ${Object.keys(contributions).length > 0}`),
  );
  expect(kinds.size).toBe(6);
});

test('another seed, another setup or another contribution is another deal', () => {
  const { seed, setup } = VECTORS[0] as Vector;
  const deals = [
    dealKey(seed, setup, []),
    dealKey(seed.replace(/^../, 'ff'), setup, []),
    dealKey(seed, { ...setup, countdown_seconds: 61 }, []),
    dealKey(seed, setup, [{ seat: 0, entropy: '00'.repeat(16) }]),
  ].map((key) => key.join());
  expect(new Set(deals).size).toBe(4);
});

test('values are spelled in one way, whatever the order of their parts', () => {
  expect(canonical({ b: [1, { d: null, c: 'Bình' }], a: true })).toBe(
    '{"a":true,"b":[1,{"c":"Bình","d":null}]}',
  );
});
