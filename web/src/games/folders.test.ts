import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GAMES, SHARED } from '../text/generated';

type Definition = { enum?: string[]; anyOf?: { $ref: string }[] };
const schema = JSON.parse(readFileSync('../docs/play-schema.json', 'utf8')) as {
  $defs: Record<string, Definition>;
};
const FOLDERS: string[] = [...GAMES, ...SHARED];
const isOwn = (name: string) => FOLDERS.includes(name.split('.')[0] ?? '') && name.includes('.');

/** Events and moves of one game, without those of every game. */
const KINDS = ['Event', 'Move'].flatMap((union) =>
  (schema.$defs[union]?.anyOf ?? [])
    .map(({ $ref }) => $ref.replace('#/$defs/', ''))
    .filter(isOwn)
    .map((name) => name.replace(/^.*\./, '')),
);
const ROLES = FOLDERS.flatMap((folder) => schema.$defs[`${folder}.Role`]?.enum ?? []);

const either = (words: readonly string[]) => `(?:${words.join('|')})`;
const FORBIDDEN: Record<string, RegExp> = {
  "a game's name": new RegExp(`['"\`](?:${either(FOLDERS)}:|${either(GAMES)}['"\`])`),
  'a question for the game': new RegExp(`\\bis${either(FOLDERS)}\\b`, 'i'),
  'an event or a move of one game': new RegExp(`\\b${either(KINDS)}\\b`),
  'a role': new RegExp(`\\b${either(ROLES)}\\b`),
  'a question for the phase': /phase\.name\s*[!=]==/,
};

const isTest = (path: string) => path.endsWith('.test.ts');
const sources = import.meta.glob<string>(['../**/*.{ts,svelte}', '!../**/generated/**'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const paths = Object.keys(sources).filter((path) => !isTest(path));
const inGames = paths.filter((path) => path.startsWith('./'));
const outside = paths.filter((path) => !path.startsWith('./'));

/** What code outside src/games/ says that belongs into the folder of a game. */
const foundIn = (source: string) =>
  Object.entries(FORBIDDEN).flatMap(([what, pattern]) => (pattern.test(source) ? [what] : []));

test('the words that are looked for are those of all games', () => {
  expect(FOLDERS).toEqual(expect.arrayContaining(['avalon', 'thavalon', 'saviom', 'quests']));
  expect(KINDS).toEqual(expect.arrayContaining(['QuestResolved', 'MerlinShot', 'WentOn', 'Hunt']));
  expect(ROLES).toEqual(expect.arrayContaining(['Merlin', 'Agravaine', 'Wolf']));
  expect([inGames.length > 40, outside.length > 80]).toEqual([true, true]);
});

test.each([
  ["view.setup.game === 'avalon'", "a game's name"],
  ["t('quests:mark.leader')", "a game's name"],
  ['if (isSaviom(view)) return', 'a question for the game'],
  ["event.is === 'QuestResolved'", 'an event or a move of one game'],
  ["role === 'Oberon'", 'a role'],
  ["view.phase.name === 'night'", 'a question for the phase'],
])('%s is found', (source, what) => {
  expect(foundIn(source)).toContain(what);
});

test.each(outside)('%s asks no question that only one game answers', (path) => {
  expect(foundIn(sources[path] ?? '')).toEqual([]);
});

test.each(inGames)('%s takes only types from what stands above the games', (path) => {
  const above = /^import (?!type)[^;]*'(?:\.\.\/)+(?:screens|table|replay|fair)\//m;
  expect(above.test(sources[path] ?? '')).toBe(false);
});
