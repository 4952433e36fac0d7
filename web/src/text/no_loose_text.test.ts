import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const SPOKEN = [
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'placeholder',
  'title',
  'label',
];
const pages = import.meta.glob<string>('../**/*.svelte', { eager: true, query: '?raw', import: 'default' });

/** Words that a page shows without asking a catalogue. */
function looseText(page: string): string[] {
  const found: string[] = [];
  const isWord = (text: string) => /\p{L}/u.test(text);
  const walk = (node: unknown, attribute = ''): void => {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, attribute));
    if (!node || typeof node !== 'object') return;
    const { type, name, data } = node as { type?: string; name?: string; data?: string };
    if (type === 'Attribute' && !SPOKEN.includes(name ?? '')) return;
    if (type === 'Text' && data && isWord(data)) found.push(data.trim());
    if (type === 'Literal' && attribute && isWord(String((node as { value: unknown }).value)))
      found.push(String((node as { value: unknown }).value));
    const inside = type === 'Attribute' ? (name ?? '') : '';
    for (const part of Object.values(node)) walk(part, inside);
  };
  const tree: AST.Root = parse(page, { modern: true });
  walk(tree.fragment);
  return found;
}

test.each(Object.keys(pages))('%s takes its words from a catalogue', (path) => {
  expect(looseText(pages[path] ?? '')).toEqual([]);
});

test('words outside a catalogue are found', () => {
  expect(looseText('<p>Hello</p>')).toEqual(['Hello']);
  expect(looseText('<img alt="A table" src="/a.png" />')).toEqual(['A table']);
  expect(looseText('<p class="soft">{t("hello")} · 5</p>')).toEqual([]);
});
