import { expect, test } from 'vitest';
import { filled } from './speak.svelte';

type Words = Record<string, string>;
const english = import.meta.glob<{ en: Words }>('../**/en.ts', { eager: true });
const vietnamese = import.meta.glob<{ vi: Words }>('../**/vi.ts', { eager: true });
const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

test.each(Object.keys(english))('%s says the same in both languages', (path) => {
  const en = english[path]?.en ?? {};
  const vi = vietnamese[path.replace(/en\.ts$/, 'vi.ts')]?.vi ?? {};
  expect(Object.keys(vi)).toEqual(Object.keys(en));
  for (const key of Object.keys(en)) {
    expect(en[key]?.trim(), key).toBeTruthy();
    expect(vi[key]?.trim(), key).toBeTruthy();
    expect(blanks(vi[key] ?? ''), key).toEqual(blanks(en[key] ?? ''));
  }
});

test('every catalogue has its twin', () => {
  const twins = Object.keys(vietnamese).map((path) => path.replace(/vi\.ts$/, 'en.ts'));
  expect(twins.sort()).toEqual(Object.keys(english).sort());
});

test('a blank is filled once, and what is filled in is not read again', () => {
  expect(filled('{a} and {b}', { a: '{b}', b: 2 })).toBe('{b} and 2');
});
