/** The rulebooks of the games (src/roundtable/games/<name>/text/rulebook.<language>.md), parsed for display. */
import type { Language } from '../../words/speak.svelte';

export type Inline = { is: 'text' | 'strong' | 'word'; text: string };
export type Block =
  | { is: 'text'; words: Inline[] }
  | { is: 'list'; isOrdered: boolean; items: Inline[][] }
  | { is: 'grid'; head: string[]; rows: string[][] };
type Section = { title: string; blocks: Block[]; isAboutOptions: boolean };
export type Book = { title: string; opening: Block[]; sections: Section[] };

const TEXTS = import.meta.glob<string>('../../../../src/roundtable/games/*/text/rulebook.*.md', {
  query: '?raw',
  import: 'default',
});

export const GAMES = ['avalon', 'thavalon', 'saviom'] as const;

export async function openBook(game: string, language: Language): Promise<Book> {
  const text = TEXTS[`../../../../src/roundtable/games/${game}/text/rulebook.${language}.md`];
  if (!text) throw new Error(`There is no rulebook of ${game} in ${language}.`);
  return readBook(await text());
}

/** What a role does, by the name that players have for it; a role may share its line with another. */
export function powerOf(book: Book, role: string): Inline[] | undefined {
  const items = book.sections.flatMap((section) =>
    section.blocks.flatMap((block) => (block.is === 'list' && !block.isOrdered ? block.items : [])),
  );
  return items.find(
    (item) => item[0]?.is === 'strong' && item.some((part) => part.is === 'strong' && part.text === role),
  );
}

export function readBook(text: string): Book {
  const [head = '', ...parts] = text.split(/^## /m);
  const [title = '', ...opening] = head.split('\n');
  return {
    title: title.replace(/^# /, ''),
    opening: blocksOf(opening.join('\n')),
    sections: parts.map(sectionOf),
  };
}

function sectionOf(part: string): Section {
  const [title = '', ...rest] = part.split('\n');
  const blocks = blocksOf(rest.join('\n'));
  const isAboutOptions = blocks.some((block) => block.is === 'list' && block.items[0]?.[0]?.is === 'word');
  return { title, blocks, isAboutOptions };
}

const blocksOf = (text: string): Block[] =>
  text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map(blockOf);

function blockOf(block: string): Block {
  if (/^\|/.test(block.trim())) return gridOf(block.trim());
  if (/^(-|\d+\.) /.test(block.trim())) return listOf(block.trim());
  return { is: 'text', words: inlineOf(flat(block)) };
}

function listOf(block: string): Block {
  const items = block.split(/\n(?=-|\d+\. )/).map((item) => inlineOf(flat(item.replace(/^(-|\d+\.) /, ''))));
  return { is: 'list', isOrdered: /^\d/.test(block), items };
}

function gridOf(block: string): Block {
  const rows = block.split('\n').map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  const [head = [], , ...body] = rows;
  return { is: 'grid', head, rows: body };
}

const flat = (text: string) => text.replace(/\s*\n\s*/g, ' ').trim();

function inlineOf(text: string): Inline[] {
  return text
    .split(/(\*\*.+?\*\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith('**')) return { is: 'strong', text: part.slice(2, -2) };
      return part.startsWith('`') ? { is: 'word', text: part.slice(1, -1) } : { is: 'text', text: part };
    });
}
