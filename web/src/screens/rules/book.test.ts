import { expect, test } from 'vitest';
import { loadArt } from '../../art';
import { language, LANGUAGES, term } from '../../text';
import { gamesWithRules, openBook, readBook, rolesOf } from './book';

const ROLES: Record<string, string[]> = {
  avalon: ['merlin', 'percival', 'loyal_servant', 'assassin', 'oberon', 'minion_of_mordred'],
  thavalon: ['merlin', 'tristan', 'iseult', 'titania', 'colgrevance'],
  saviom: ['wolf', 'citizen', 'protector', 'seer'],
};

test.each(gamesWithRules().flatMap((game) => LANGUAGES.map(({ code }) => [game, code] as const)))(
  'the rulebook of %s in %s is read whole',
  async (game, code) => {
    const book = await openBook(game, code);
    expect(book.title).not.toBe('');
    expect(book.sections.length).toBeGreaterThan(5);
    expect(book.sections.filter((section) => section.isAboutOptions)).toHaveLength(1);
    expect(JSON.stringify(book)).not.toMatch(/\*\*|`/);
  },
);

test('tables, lists and names are told apart', () => {
  const book = readBook(
    '# T\n\nOne\ntwo.\n\n## S\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. **X.** y\n   z\n2. `w`\n',
  );
  expect(book.opening).toEqual([{ is: 'text', words: [{ is: 'text', text: 'One two.' }] }]);
  expect(book.sections[0]?.blocks[0]).toEqual({ is: 'grid', head: ['a', 'b'], rows: [['1', '2']] });
  expect(book.sections[0]?.blocks[1]).toEqual({
    is: 'list',
    isOrdered: true,
    items: [
      [
        { is: 'strong', text: 'X.' },
        { is: 'text', text: ' y z' },
      ],
      [{ is: 'word', text: 'w' }],
    ],
  });
});

test.each(Object.keys(ROLES).flatMap((game) => LANGUAGES.map(({ code }) => [game, code] as const)))(
  'the roles in the rulebook of %s in %s are drawn',
  async (game, code) => {
    await language.choose(code);
    const names = new Map(Object.keys(await loadArt()).map((role) => [term(role, game), role]));
    const { sections } = await openBook(game, code);
    const found = sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.is === 'list' ? block.items : []))
      .flatMap((item) => rolesOf(item, names));
    expect(found).toEqual(expect.arrayContaining(ROLES[game] ?? []));
    await language.choose('en');
  },
);
