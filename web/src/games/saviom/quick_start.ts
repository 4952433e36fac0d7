/** Saviom against bots: with the roles of the night, and at a pace that suits bots. */
import type { QuickStart } from '../quick_starts';

export const quickStart: QuickStart = {
  seats: 8,
  options: { mode: 'advanced', early_end: true, day_seconds: 60, defense_seconds: 20, night_seconds: 20 },
};
