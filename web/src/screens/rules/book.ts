/** The rulebook of a game, parsed so that it can be shown. */
import { GAMES, installedGame, installedGames, type Language } from '../../text';

export type Inline = { is: 'text' | 'strong' | 'word'; text: string };
export type Block =
  | { is: 'text'; words: Inline[] }
  | { is: 'list'; isOrdered: boolean; items: Inline[][] }
  | { is: 'grid'; head: string[]; rows: string[][] };
type Section = { title: string; blocks: Block[]; isAboutOptions: boolean };
export type Book = { title: string; opening: Block[]; sections: Section[] };

const RULEBOOKS = import.meta.glob<string>('../../text/generated/*.md', { query: '?raw', import: 'default' });
const rulebook = (game: string, language: string) => RULEBOOKS[`../../text/generated/${game}.${language}.md`];

/** The games that have a rulebook: those of the app, and others of the server once their text is here. */
export const gamesWithRules = (): string[] => [
  ...GAMES.filter((game) => rulebook(game, 'en')),
  ...installedGames().filter((game) => installedGame(game)?.rulebook),
];

/** A rulebook that is not translated is shown in English. */
export async function openBook(game: string, language: Language): Promise<Book> {
  const installed = installedGame(game)?.rulebook;
  if (installed) return withoutOptionList(readBook(installed));
  const text = rulebook(game, language) ?? rulebook(game, 'en');
  if (!text) throw new Error(`There is no rulebook of ${game}.`);
  return readBook(await text());
}

/** The options of such a game are explained in its rulebook and nowhere else. */
const withoutOptionList = (book: Book): Book => ({
  ...book,
  sections: book.sections.map((section) => ({ ...section, isAboutOptions: false })),
});

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

/** The roles that an item of a list is about: it begins with the name of one in bold. */
export const rolesOf = (item: readonly Inline[], names: ReadonlyMap<string, string>): string[] =>
  item[0]?.is === 'strong'
    ? item.flatMap(({ is, text }) => (is === 'strong' ? (names.get(text) ?? []) : []))
    : [];
