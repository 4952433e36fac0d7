/** What a town can count by day. */
import type { SaviomView } from '../../wire/messages';

export type Leaning = { seat: number; count: number; needed: number };

/** Who has most votes on them, and how many it takes to put them on trial (rule S6). */
export function leaning(view: Pick<SaviomView, 'alive' | 'accusations' | 'setup'>): Leaning | null {
  const votes = Object.values(view.accusations);
  const counted = votes.map((seat) => ({ seat, count: votes.filter((one) => one === seat).length }));
  const [most] = counted.sort((one, other) => other.count - one.count || one.seat - other.seat);
  const total = view.setup.trial_by === 'cast' ? votes.length : view.alive.length;
  return most ? { ...most, needed: Math.floor(total / 2) + 1 } : null;
}
