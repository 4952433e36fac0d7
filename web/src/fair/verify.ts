/** Checks a record: that nothing in it was moved, that the seed was fixed before the deal, and that the deal follows. */
import type { Event, Happened, Setup } from '../protocol/messages';
import { hexOf } from './bytes';
import { canonical, commitmentTo, dealKey, digest, Stream, type Contribution } from './chance';
import { uiOf } from '../games';
import type { Deal, DealtRole, Dealing } from '../games/game';

/** What was heard while the game was played, as far as this browser was there. */
export type Witness = {
  commitment?: string | undefined;
  seat?: number | undefined;
  role?: string | undefined;
  entropy?: string | undefined;
};
export type Check = {
  what: 'seals' | 'heard' | 'commitment' | 'contributions' | 'deal' | 'own';
  verdict: 'holds' | 'fails' | 'unknown';
};
export type Findings = {
  checks: Check[];
  commitment: string;
  seed: string;
  key: string;
  contributions: readonly Contribution[];
  deal: Deal | null; // null: the deal was given, not drawn
};

type RecordLine = {
  entry?: { action: { is: string; chosen?: boolean }; events: Event[] };
  seal: string;
  line: number;
};

export function verify(record: string, witness: Witness = {}): Findings {
  const lines = record
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordLine);
  const events = lines.flatMap((line) => line.entry?.events ?? []);
  const opened = first(events, 'TableOpened');
  const seed = first(events, 'SeedSealed').seed;
  const contributions = all(events, 'EntropyContributed').map(({ seat, entropy }) => ({ seat, entropy }));
  const key = dealKey(seed, opened.setup, contributions);
  const wasDrawn = !lines.some((line) => line.entry?.action.is === 'DealRoles' && line.entry.action.chosen);
  const dealing = uiOf(opened.setup.game).dealing;
  const deal = wasDrawn && dealing ? dealing.repeat(opened.setup as Setup, new Stream(key, 'deal')) : null;
  const handedOut = dealing?.handedOut(events) ?? [];
  const own = handedOut.find(({ seat }) => seat === witness.seat)?.role;
  const dealCheck: Check = {
    what: 'deal',
    verdict: deal
      ? verdict(isDealt(dealing, deal, handedOut, events))
      : handedOut.length
        ? 'fails'
        : 'unknown',
  };
  const checks: Check[] = [
    { what: 'seals', verdict: verdict(areSealed(lines)) },
    { what: 'heard', verdict: compared(witness.commitment, opened.commitment) },
    { what: 'commitment', verdict: verdict(commitmentTo(seed) === opened.commitment) },
    { what: 'contributions', verdict: contributed(contributions, witness) },
    ...(dealing ? [dealCheck] : []),
    { what: 'own', verdict: compared(witness.role, own) },
  ];
  return { checks, commitment: opened.commitment, seed, key: hexOf(key), contributions, deal };
}

/** Every line carries the seal of the line before it in its own. */
function areSealed(lines: readonly RecordLine[]): boolean {
  let before = '';
  return lines.every(({ seal, ...rest }, place) => {
    const isTrue = rest.line === place + 1 && digest(`${before}\n${canonical(rest)}`) === seal;
    before = seal;
    return isTrue;
  });
}

/** Whether these are the cards that were handed out; a table called off before the deal handed out none. */
function isDealt(
  dealing: Dealing | undefined,
  deal: Deal,
  cards: readonly DealtRole[],
  events: readonly Event[],
): boolean {
  if (!cards.length) return true;
  const isComplete = cards.length === deal.roles.length;
  return (
    isComplete &&
    cards.every(({ seat, role }) => role === deal.roles[seat]) &&
    !!dealing?.agrees(deal, events)
  );
}

function contributed(contributions: readonly Contribution[], { seat, entropy }: Witness): Check['verdict'] {
  if (entropy === undefined) return contributions.length ? 'holds' : 'unknown';
  return verdict(contributions.some((one) => one.seat === seat && one.entropy === entropy));
}

const verdict = (isTrue: boolean): Check['verdict'] => (isTrue ? 'holds' : 'fails');
const compared = (heard: string | undefined, published: string | undefined): Check['verdict'] =>
  heard === undefined ? 'unknown' : verdict(heard === published);

const all = <Kind extends Event['is']>(events: readonly Event[], kind: Kind) =>
  events.filter((event) => event.is === kind) as Happened<Kind>[];

function first<Kind extends Event['is']>(events: readonly Event[], kind: Kind): Happened<Kind> {
  const found = all(events, kind)[0];
  if (!found) throw new Error(`A record without ${kind} is none.`);
  return found;
}
