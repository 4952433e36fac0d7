/** What this browser heard when a table was opened, kept so that it can be compared with what is shown at the end. */
import { keep, kept } from '../wire/keep';

type Opening = { room: string; game: number; commitment: string; entropy?: string };
const KEPT = 30;

const all = (): Opening[] => {
  try {
    return JSON.parse(kept('openings') ?? '[]') as Opening[];
  } catch {
    return [];
  }
};

export const openingOf = (room: string, game: number): Opening | null =>
  all().find((one) => one.room === room && one.game === game) ?? null;

/** The first word counts: a server that says something else later does not change what was heard. */
export function noteCommitment(room: string, game: number, commitment: string): void {
  if (!commitment || openingOf(room, game)) return;
  keep('openings', JSON.stringify([...all(), { room, game, commitment }].slice(-KEPT)));
}

/** What we stirred into the deal ourselves; it is public, and must be there in the end. */
export function noteEntropy(room: string, game: number, entropy: string): void {
  const noted = all().map((one) => (one.room === room && one.game === game ? { ...one, entropy } : one));
  keep('openings', JSON.stringify(noted));
}
