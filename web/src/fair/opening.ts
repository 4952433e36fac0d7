/** The commitment and contribution of this browser, stored before the deal to be checked after the game. */
import { store, stored } from '../protocol/storage';

type Opening = { room: string; game: number; commitment: string; entropy?: string };
const KEPT = 30;

const all = (): Opening[] => {
  try {
    return JSON.parse(stored('openings') ?? '[]') as Opening[];
  } catch {
    return [];
  }
};

export const openingOf = (room: string, game: number): Opening | null =>
  all().find((one) => one.room === room && one.game === game) ?? null;

/** Only the first commitment counts: the server cannot replace it later. */
export function noteCommitment(room: string, game: number, commitment: string): void {
  if (!commitment || openingOf(room, game)) return;
  store('openings', JSON.stringify([...all(), { room, game, commitment }].slice(-KEPT)));
}

/** This browser's contribution to the deal; the record must contain it. */
export function noteEntropy(room: string, game: number, entropy: string): void {
  const noted = all().map((one) => (one.room === room && one.game === game ? { ...one, entropy } : one));
  store('openings', JSON.stringify(noted));
}
