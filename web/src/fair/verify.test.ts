import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { canonical, digest } from './chance';
import { verify, type Check } from './verify';

const RECORD = readFileSync(new URL('../../../tests/vectors/avalon.jsonl', import.meta.url), 'utf8');
const found = (checks: Check[]) => Object.fromEntries(checks.map(({ what, verdict }) => [what, verdict]));
const { commitment, contributions, deal } = verify(RECORD);
const witness = {
  commitment,
  seat: 2,
  role: deal?.roles[2] ?? '',
  entropy: contributions[0]?.entropy ?? '',
};

/** A forged record whose lines are sealed correctly. */
function resealed(record: string): string {
  let seal = '';
  const lines = record
    .trimEnd()
    .split('\n')
    .map((line) => {
      const rest = JSON.parse(line) as { seal?: string };
      delete rest.seal;
      seal = digest(`${seal}\n${canonical(rest)}`);
      return canonical({ ...rest, seal });
    });
  return lines.join('\n');
}

test('a record of an honest game holds, with and without a witness', () => {
  const seen = {
    seals: 'holds',
    heard: 'holds',
    commitment: 'holds',
    contributions: 'holds',
    deal: 'holds',
    own: 'holds',
  };
  expect(found(verify(RECORD, witness).checks)).toEqual(seen);
  expect(found(verify(RECORD).checks)).toEqual({ ...seen, heard: 'unknown', own: 'unknown' });
  expect(resealed(RECORD)).toBe(RECORD.trimEnd());
});

test('a record that was written anew for another seed is not the one that was heard', () => {
  const seed = /"seed":"([0-9a-f]{64})"/.exec(RECORD)?.[1] ?? '';
  const forged = resealed(RECORD.replaceAll(seed, seed.replace(/^../, 'ab')));
  expect(found(verify(forged, witness).checks)).toMatchObject({
    seals: 'holds',
    commitment: 'fails',
    deal: 'fails',
  });
});

test('cards that were exchanged after the deal are found', () => {
  const forged = resealed(RECORD.replaceAll('"role":"Merlin"', '"role":"Percival"'));
  expect(found(verify(forged, witness).checks)).toMatchObject({
    seals: 'holds',
    commitment: 'holds',
    deal: 'fails',
  });
});

test('a line that was changed breaks its seal', () => {
  const forged = RECORD.replace('"approve":true', '"approve":false');
  expect(found(verify(forged, witness).checks)).toMatchObject({ seals: 'fails', deal: 'holds' });
});

test('a different commitment, card or contribution is reported', () => {
  const others = { commitment: '00', seat: 2, role: 'Oberon', entropy: 'ff'.repeat(16) };
  expect(found(verify(RECORD, others).checks)).toMatchObject({
    heard: 'fails',
    own: 'fails',
    contributions: 'fails',
  });
});

test('a deal that was handed to the table is not called drawn', () => {
  const forged = resealed(RECORD.replace('"chosen":false', '"chosen":true'));
  expect(found(verify(forged).checks)).toMatchObject({ deal: 'fails' });
});
