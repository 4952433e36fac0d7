/** Saviom: no phase waits once everyone has locked in; against bots with the roles of the night, and at their pace. */
import type { QuickStart } from '../quick_starts';

export const quickStart: QuickStart = {
  seats: 8,
  rules: { early_end: true },
  againstBots: { mode: 'advanced', day_seconds: 60, defense_seconds: 20, night_seconds: 20 },
};
