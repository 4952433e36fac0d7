/** The game and the number of seats that were last chosen for a game against bots. */
import { quickStart } from '../../games/quick_starts';
import type { GameListing } from '../../protocol/api';
import { store, stored } from '../../protocol/storage';

export const rulesOfNewTable = (game: string) => quickStart(game).rules;
export const rulesAgainstBots = (game: string) => ({
  ...rulesOfNewTable(game),
  ...quickStart(game).againstBots,
});

/** The server lists the game that a newcomer should try first. */
export function chosenGame(games: readonly GameListing[]): GameListing | undefined {
  const last = stored('game');
  return games.find((game) => game.name === last) ?? games[0];
}

export function chosenSeats({ name, fewest, most }: GameListing): number {
  const chosen = Number(stored(`seats.${name}`));
  return chosen >= fewest && chosen <= most
    ? chosen
    : Math.min(most, Math.max(fewest, quickStart(name).seats));
}

export function remember(game: string, seats: number): void {
  store('game', game);
  store(`seats.${game}`, String(seats));
}
