/** Counts accusations. */
import type { SaviomView } from './view';

export type MostAccused = { seat: number; count: number; needed: number };

/** The most accused seat, and how many votes a trial needs (S6). */
export function mostAccused(view: Pick<SaviomView, 'alive' | 'accusations' | 'setup'>): MostAccused | null {
  const votes = Object.values(view.accusations);
  const counted = votes.map((seat) => ({ seat, count: votes.filter((one) => one === seat).length }));
  const [most] = counted.sort((one, other) => other.count - one.count || one.seat - other.seat);
  const total = view.setup.trial_by === 'cast' ? votes.length : view.alive.length;
  return most ? { ...most, needed: Math.floor(total / 2) + 1 } : null;
}
