/**
 * Tables against bots, by game: how many players are a good start, and house rules that suit such a game.
 * A game may have a `quick_start.ts`; the first page loads these, and nothing else of a game.
 */
export type QuickStart = { seats: number; options: Record<string, unknown> };

const USUAL: QuickStart = { seats: 5, options: {} };
const found = import.meta.glob<QuickStart>('./*/quick_start.ts', { eager: true, import: 'quickStart' });

export const quickStart = (game: string): QuickStart => found[`./${game}/quick_start.ts`] ?? USUAL;
