import { expect, test } from 'vitest';
import { LANGUAGES } from '../../text';
import { gamesWithRules, openBook, readBook } from './book';

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
