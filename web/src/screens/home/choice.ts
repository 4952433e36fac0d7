/** The game and the number of seats that were last chosen for a game against bots. */
import { store, stored } from '../../protocol/storage';

export const GAMES = ['avalon', 'thavalon', 'saviom'] as const;
export type GameName = (typeof GAMES)[number];

/** How many may play (A1, T1, S1), how many is a good start, and house rules that suit a game against bots. */
export const AGAINST_BOTS = {
  avalon: { least: 5, most: 10, usual: 5, options: {} },
  thavalon: { least: 5, most: 10, usual: 7, options: {} },
  saviom: {
    least: 6,
    most: 12,
    usual: 8,
    options: { mode: 'advanced', early_end: true, day_seconds: 60, defense_seconds: 20, night_seconds: 20 },
  },
} as const satisfies Record<GameName, unknown>;

const isGame = (name: string | null): name is GameName => GAMES.some((game) => game === name);

export function chosenGame(): GameName {
  const chosen = stored('game');
  return isGame(chosen) ? chosen : 'avalon';
}

export function chosenSeats(game: GameName): number {
  const { least, most, usual } = AGAINST_BOTS[game];
  const chosen = Number(stored(`seats.${game}`));
  return chosen >= least && chosen <= most ? chosen : usual;
}

export function remember(game: GameName, seats: number): void {
  store('game', game);
  store(`seats.${game}`, String(seats));
}
