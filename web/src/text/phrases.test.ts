import { expect, test } from 'vitest';
import { claimed } from './phrases';

test('a role of Saviom has an article, a name of Avalon has none', () => {
  const says = (game: string, word: string) =>
    claimed({ game, name: String }, { phrase: 'i_am', about: null, word });
  expect(says('saviom', 'Citizen')).toBe('I’m a Citizen.');
  expect(says('avalon', 'Merlin')).toBe('I am Merlin.');
});
