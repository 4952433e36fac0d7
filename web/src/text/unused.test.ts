import { expect, test } from 'vitest';
import { LANGUAGES } from '.';
import { SHARED } from './generated';

/** Sections that only the web app uses; the others have their tests where the terminal and the dealer have theirs. */
const OWN = (
  'narrator spoken moderator clock ' +
  'common fault home join room invite lobby setting in_person look table member chat after replay record deal tv rules ' +
  'avatar turn_alerts notes option preset status button hint mark label declare highlight'
).split(' ');
const sources = import.meta.glob<string>(
  ['../**/*.svelte', '../**/*.ts', '!../**/generated/**', '!../**/*.test.ts'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
);
const code = Object.values(sources).join('\n');
const literals = new Set([...code.matchAll(/'([\w:./]+)'/g)].map(([, text]) => text));
/** Keys with a part that is not known before: `table.${name}`. */
const patterns = [...code.matchAll(/`((?:\w+:)?\w+\.[^`]*\$\{[^`]*)`/g)].map(
  ([, text]) =>
    new RegExp(
      `^(\\w+:)?${(text ?? '')
        .replace(/^\w+:/, '')
        .replaceAll('.', '\\.')
        .replace(/\$\{[^}]*\}/g, '.+')}$`,
    ),
);

function isUsed(key: string): boolean {
  const plain = key.replace(/^\w+:/, '');
  const inOwnWords = SHARED.some((space) => literals.has(`${space}:${plain}`)); // `inGame` finds the game's own first
  return (
    literals.has(key) || literals.has(plain) || inOwnWords || patterns.some((pattern) => pattern.test(plain))
  );
}

test('every message of the app is used', async () => {
  const { default: messages } = await LANGUAGES[0].load();
  const keys = Object.keys(messages).map((key) => key.replace(/_(one|other)$/, ''));
  const own = keys.filter((key) => OWN.includes(key.replace(/^\w+:/, '').split('.')[0] ?? ''));
  expect(own.length).toBeGreaterThan(300);
  expect([...new Set(own)].filter((key) => !isUsed(key))).toEqual([]);
});
