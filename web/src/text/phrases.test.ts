import { expect, test } from 'vitest';
import { claimed } from './phrases';

test('a role has an article, a name has none', () => {
  const says = (game: string, word: string) =>
    claimed({ game, name: String }, { phrase: 'i_am', about: null, word });
  expect(says('saviom', 'Citizen')).toBe('I’m a Citizen.');
  expect(says('avalon', 'Merlin')).toBe('I’m Merlin.');
  expect(says('avalon', 'Loyal Servant')).toBe('I’m a Loyal Servant.');
  expect(says('thavalon', 'Percival')).toBe('I’m Percival.');
});
