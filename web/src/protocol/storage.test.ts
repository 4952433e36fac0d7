import { beforeEach, expect, test, vi } from 'vitest';
import {
  forgetToken,
  keepOwnGame,
  keepTokenToJoin,
  ownGames,
  ownTables,
  store,
  storeToken,
  tokenFor,
  tokenToJoin,
  type OwnGame,
} from './storage';

const GAME: OwnGame = {
  code: 'K7MPQ2',
  number: 1,
  game: 'avalon',
  at: 1,
  winner: 'Good',
  role: 'Merlin',
  side: 'Good',
  hasWon: true,
};

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  });
});

test('the latest tables come first, and a table that is gone is forgotten', () => {
  for (const code of ['AAAAAA', 'BBBBBB', 'AAAAAA']) storeToken(code, `token of ${code}`);
  expect(ownTables()).toEqual(['AAAAAA', 'BBBBBB']);
  forgetToken('AAAAAA');
  expect([ownTables(), tokenFor('AAAAAA')]).toEqual([['BBBBBB'], null]);
});

test('no more than ten tables are listed', () => {
  for (let one = 0; one < 12; one++) storeToken(`TABLE${one}`, 'token');
  expect(ownTables()).toHaveLength(10);
  expect(ownTables()[0]).toBe('TABLE11');
});

test('a player who left for good comes back with the same token', () => {
  storeToken('AAAAAA', 'first');
  keepTokenToJoin('AAAAAA');
  expect([tokenFor('AAAAAA'), ownTables()]).toEqual([null, []]);
  expect(tokenToJoin('AAAAAA')).toBe('first');
});

test('a finished game is kept once, the latest first', () => {
  keepOwnGame(GAME);
  keepOwnGame({ ...GAME, number: 2 });
  keepOwnGame(GAME);
  expect(ownGames().map(({ number }) => number)).toEqual([2, 1]);
});

test('what something else wrote is no game and no table', () => {
  store('games', '[1, null, {"code": "A"}]');
  store('tables', '{"a": 1}');
  expect([ownGames(), ownTables()]).toEqual([[], []]);
  store('games', 'nonsense');
  expect(ownGames()).toEqual([]);
});
