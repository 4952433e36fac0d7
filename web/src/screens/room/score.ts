/** The score of the evening, from the finished games of a table (`GET /api/rooms/CODE/games`). */

export type Played = {
  game: string;
  winner: string | null;
  seats: readonly { name: string; has_won: boolean }[];
};
export type Score = {
  /** The games with a winner; the others are not counted. */
  games: number;
  /** The sides in the order in which they first won. */
  sides: { game: string; side: string; wins: number }[];
  /** Those with the most wins first. */
  people: { name: string; games: number; wins: number }[];
};

/** `played` has the last game first. */
export function scoreOf(played: readonly Played[]): Score {
  const decided = [...played].reverse().filter(({ winner }) => winner !== null);
  const sides = new Map<string, Score['sides'][number]>();
  const people = new Map<string, Score['people'][number]>();
  for (const { game, winner, seats } of decided) {
    const side = winner ?? '';
    const known = sides.get(`${game}/${side}`) ?? { game, side, wins: 0 };
    sides.set(`${game}/${side}`, { ...known, wins: known.wins + 1 });
    for (const { name, has_won } of seats) {
      const before = people.get(name) ?? { name, games: 0, wins: 0 };
      people.set(name, { name, games: before.games + 1, wins: before.wins + (has_won ? 1 : 0) });
    }
  }
  return {
    games: decided.length,
    sides: [...sides.values()],
    people: [...people.values()].sort((one, other) => other.wins - one.wins || one.games - other.games),
  };
}
