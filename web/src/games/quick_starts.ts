/**
 * Tables that this app opens, by game: how many players are a good start, the house rules of every new table, and
 * what a game against bots changes of them. A game may have a `quick_start.ts`; the first page loads these, and
 * nothing else of a game.
 */
export type QuickStart = {
  seats: number;
  rules: Record<string, unknown>;
  againstBots: Record<string, unknown>;
};

const USUAL: QuickStart = { seats: 5, rules: {}, againstBots: {} };
const found = import.meta.glob<QuickStart>('./*/quick_start.ts', { eager: true, import: 'quickStart' });

export const quickStart = (game: string): QuickStart => found[`./${game}/quick_start.ts`] ?? USUAL;
