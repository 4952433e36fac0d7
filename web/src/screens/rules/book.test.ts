import { expect, test } from 'vitest';
import { LANGUAGES } from '../../words/speak.svelte';
import { en } from '../../words/terms/en';
import { vi } from '../../words/terms/vi';
import { GAMES, openBook, powerOf, readBook } from './book';

const ROLES = {
  avalon: [
    'Merlin',
    'Percival',
    'Loyal Servant',
    'Assassin',
    'Morgana',
    'Mordred',
    'Oberon',
    'Minion of Mordred',
  ],
  thavalon: [
    'Merlin',
    'Percival',
    'Tristan',
    'Iseult',
    'Lancelot',
    'Nimue',
    'Arthur',
    'Titania',
    'Mordred',
    'Morgana',
    'Maelagant',
    'Agravaine',
    'Colgrevance',
  ],
  saviom: ['Wolf', 'Citizen', 'Protector', 'Seer'],
} as const;

test.each(GAMES.flatMap((game) => LANGUAGES.map((language) => [game, language] as const)))(
  'the rulebook of %s in %s is read whole and tells what each role does',
  async (game, language) => {
    const book = await openBook(game, language);
    expect(book.title).not.toBe('');
    expect(book.sections.length).toBeGreaterThan(5);
    expect(book.sections.filter((section) => section.isAboutOptions)).toHaveLength(1);
    expect(JSON.stringify(book)).not.toMatch(/\*\*|`/);
    for (const role of ROLES[game]) {
      const name = (language === 'vi' ? vi : en)[role];
      expect(powerOf(book, name), name).toBeTruthy();
    }
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
