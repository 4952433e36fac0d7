import { readFileSync, readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GAMES, SHARED } from '../text/generated';
import { wordKey } from '../text/messages';
import { artOf, loadArt } from '.';

const FOLDER = 'src/art/roles';
const schema = JSON.parse(readFileSync('../docs/protocol-schema.json', 'utf8')) as {
  $defs: Record<string, { enum?: string[] }>;
};
const ROLES = [...GAMES, ...SHARED].flatMap((game) => schema.$defs[`${game}.Role`]?.enum ?? []);

test('the roles of all games are looked at', () => {
  expect(ROLES).toEqual(expect.arrayContaining(['Merlin', 'Loyal Servant', 'Colgrevance', 'Wolf', 'Seer']));
});

test.each(ROLES)('%s has an emblem of its own, with a title', async (role) => {
  const emblems = await loadArt();
  const svg = emblems[wordKey(role)] ?? '';
  expect(svg).toContain(`<title>${role}</title>`);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 96 96">/);
  expect(Object.values(emblems).filter((other) => other === svg)).toHaveLength(1);
});

test('a role of another package shows the mask', async () => {
  const emblems = await loadArt();
  expect(artOf(emblems, 'Fool of the Court')).toBe(artOf(emblems, 'unknown'));
  expect(artOf(emblems, ROLES[0] ?? '')).not.toBe(artOf(emblems, 'unknown'));
});

test.each(readdirSync(FOLDER))('%s is small, belongs to a role, and runs and loads nothing', (name) => {
  const svg = readFileSync(`${FOLDER}/${name}`, 'utf8');
  expect(statSync(`${FOLDER}/${name}`).size).toBeLessThanOrEqual(4096);
  expect([...ROLES.map(wordKey), 'unknown']).toContain(name.replace('.svg', ''));
  expect(svg).not.toMatch(/<script|<style|style=|href|url\(| on\w+=/);
});

const sources = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../**/*.test.ts', '!../**/generated/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

test('one module holds all emblems, and it is only fetched as a chunk', () => {
  const naming = (pattern: RegExp) =>
    Object.keys(sources).filter((path) => pattern.test(sources[path] ?? ''));
  expect(naming(/\.svg'/)).toEqual(['./emblems.ts']);
  expect(naming(/emblems'/)).toEqual(['./index.ts']);
  expect(sources['./index.ts']).toContain("import('./emblems')");
});
