/** THavalon against bots: from seven players on every kind of role can come up. */
import type { QuickStart } from '../quick_starts';

export const quickStart: QuickStart = { seats: 7, rules: {}, againstBots: {} };
