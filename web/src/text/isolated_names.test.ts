/** Names and lines that people type are drawn in `<bdi>`, so that no direction of writing moves the words beside them. */
import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const pages = import.meta.glob<string>('../**/*.svelte', { eager: true, query: '?raw', import: 'default' });

/** `live.name(seat)`, `member.name`, `name`, `event.text`: what people have typed. An initial moves nothing. */
const TYPED =
  /\bname\(|\b(member|watcher|line|host)\??\.name\b(?!\.slice)|^name$|\b(line|event)\.text\b|^bubble$/;
/** An option of a menu contains text alone, in a box of its own. */
const ISOLATED = ['bdi', 'option'];
/** The values of a message, which text/messages.ts isolates. */
const FILLED = /\{[^{}]*\}/g;

/** Expressions that draw what people have typed outside `<bdi>`. */
function looseNames(page: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown, element = ''): void => {
    if (Array.isArray(node)) return node.forEach((one) => walk(one, element));
    if (!node || typeof node !== 'object') return;
    const { type, name } = node as { type?: string; name?: string };
    if (type === 'Attribute') return;
    if (type === 'ExpressionTag') {
      const { expression } = node as unknown as { expression: { start: number; end: number } };
      const source = page.slice(expression.start, expression.end).replace(FILLED, '{}');
      if (TYPED.test(source) && !ISOLATED.includes(element)) found.push(source);
      return;
    }
    const inside = type === 'RegularElement' ? (name ?? '') : element;
    for (const part of Object.values(node)) walk(part, inside);
  };
  const tree: AST.Root = parse(page, { modern: true });
  walk(tree.fragment);
  return found;
}

test.each(Object.keys(pages))('%s isolates the names that it draws', (path) => {
  expect(looseNames(pages[path] ?? '')).toEqual([]);
});

test('names outside an element of their own are found', () => {
  expect(looseNames('<p><strong>{live.name(seat)}</strong> {event.text}</p>')).toEqual([
    'live.name(seat)',
    'event.text',
  ]);
  expect(looseNames('<p><bdi>{live.name(seat)}</bdi> {t("a.b", { name: live.name(seat) })}</p>')).toEqual([]);
});

test('what people type takes its direction from what they type', () => {
  const typed = Object.values(pages).flatMap((page) => page.match(/<input[^>]*bind:value[^>]*>/g) ?? []);
  const free = typed.filter((input) => /id="(name|line)"|chat\.say/.test(input));
  expect(free).toHaveLength(3);
  for (const input of free) expect(input).toContain('dir="auto"');
});
