import { expect, test } from 'vitest';
import { scoreOf } from './score';

const seats = (...won: string[]) =>
  ['Ana', 'Bo', 'Cy'].map((name) => ({ name, has_won: won.includes(name) }));

test('wins are counted by person and by side, the most wins first', () => {
  const score = scoreOf([
    { game: 'avalon', winner: 'Evil', seats: seats('Cy') },
    { game: 'saviom', winner: 'Wolves', seats: seats('Bo', 'Cy') },
    { game: 'avalon', winner: 'Evil', seats: seats('Cy') },
    { game: 'avalon', winner: 'Good', seats: seats('Ana', 'Bo') },
  ]);
  expect(score.games).toBe(4);
  expect(score.sides).toEqual([
    { game: 'avalon', side: 'Good', wins: 1 },
    { game: 'avalon', side: 'Evil', wins: 2 },
    { game: 'saviom', side: 'Wolves', wins: 1 },
  ]);
  expect(score.people).toEqual([
    { name: 'Cy', games: 4, wins: 3 },
    { name: 'Bo', games: 4, wins: 2 },
    { name: 'Ana', games: 4, wins: 1 },
  ]);
});

test('a game without a result counts for nobody', () => {
  expect(scoreOf([{ game: 'avalon', winner: null, seats: seats() }])).toEqual({
    games: 0,
    sides: [],
    people: [],
  });
});

test('a person who came later has fewer games', () => {
  const score = scoreOf([
    { game: 'avalon', winner: 'Good', seats: seats('Ana') },
    { game: 'avalon', winner: 'Good', seats: [{ name: 'Ana', has_won: true }] },
  ]);
  expect(score.people[0]).toEqual({ name: 'Ana', games: 2, wins: 2 });
  expect(score.people[1]).toEqual({ name: 'Bo', games: 1, wins: 0 });
});
