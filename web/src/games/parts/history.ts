/** A grid of votes, column by column, and the claims between them, from the events heard. */
import type { Event, Heard } from '../../protocol/messages';
import { isClaim, type Remarked } from '../../text/phrases';

type Claim = { claim: Remarked; column: number };
export type History<Column> = { columns: Column[]; claims: Claim[] };

/** `absorb` adds the columns of a game, or changes them, by its events. */
export function historyOf<Column>(
  heard: readonly Heard[],
  absorb: (columns: Column[], event: Event) => void,
): History<Column> {
  const columns: Column[] = [];
  const claims: Claim[] = [];
  for (const { event } of heard) {
    if (event.is !== 'Remarked') absorb(columns, event);
    else if (event.channel === 'table' && isClaim(event))
      claims.push({ claim: event, column: columns.length - 1 });
  }
  return { columns, claims };
}

/** A column as the grid draws it. */
export type Drawn = {
  head: string;
  label: string;
  /** The seat that the vote is about, or that called for it. */
  first: number;
  team: readonly number[];
  /** The seats that are lit while the column is pointed at. */
  lit: readonly number[];
  marks: Readonly<Record<number, boolean>>;
  ending: string;
  /** What came of it, where that is more than how it ended. */
  result?: { isGood: boolean; word: string; detail: string } | undefined;
};
/** What the marks in the grid mean. */
export type Legend = { icon: 'crown' | 'flag'; first: string; team?: string; yes: string; no: string };
