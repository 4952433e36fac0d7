/** The game and the number of seats that were last chosen for a game against bots. */
import type { GameShown } from '../../protocol/api';
import { store, stored } from '../../protocol/storage';

const FIRST_GAME = 'avalon';
const FIRST_SEATS = 5;

/** How many is a good start against bots, and house rules that suit such a game; other games are played as they are. */
const AGAINST_BOTS: Record<string, { seats: number; options: Record<string, unknown> }> = {
  thavalon: { seats: 7, options: {} },
  saviom: {
    seats: 8,
    options: { mode: 'advanced', early_end: true, day_seconds: 60, defense_seconds: 20, night_seconds: 20 },
  },
};

export const optionsAgainstBots = (game: string) => AGAINST_BOTS[game]?.options ?? {};

export function chosenGame(games: readonly GameShown[]): GameShown | undefined {
  const named = (name: string | null) => games.find((game) => game.name === name);
  return named(stored('game')) ?? named(FIRST_GAME) ?? games[0];
}

export function chosenSeats({ name, fewest, most }: GameShown): number {
  const chosen = Number(stored(`seats.${name}`));
  const usual = AGAINST_BOTS[name]?.seats ?? FIRST_SEATS;
  return chosen >= fewest && chosen <= most ? chosen : Math.min(most, Math.max(fewest, usual));
}

export function remember(game: string, seats: number): void {
  store('game', game);
  store(`seats.${game}`, String(seats));
}
