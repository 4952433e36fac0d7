/** The options of a game of another package: seats that are tapped, moves that are listed. */
import type { Move, Offer, View } from '../../protocol/messages';
import { fieldsOf } from '../../text/sentences';
import { NOTHING, type Rest } from '../game';

/** One kind of move that names a seat or several, and nothing else. */
export type Picker = { offer: Offer; field: string; count: number };
export type PlainTask = {
  is: 'plain';
  pickers: Picker[];
  listed: Offer[];
  taps: { seats: number[]; limit: number };
};

/** `chosen`: which of the pickers. */
export function plainTask(
  { setup, outcome }: View,
  offers: readonly Offer[],
  chosen: number,
): PlainTask | Rest {
  const some = offers.filter((offer) => offer.moves.length);
  if (outcome || !some.length) return NOTHING;
  const found = some.map((offer) => ({ offer, picker: pickerOf(setup.game, offer) }));
  const pickers = found.flatMap(({ picker }) => (picker ? [picker] : []));
  const now = pickers[chosen];
  return {
    is: 'plain',
    pickers,
    listed: found.flatMap(({ offer, picker }) => (picker ? [] : [offer])),
    taps: { seats: now ? pickable(now) : [], limit: now?.count ?? 1 },
  };
}

function pickerOf(game: string, offer: Offer): Picker | null {
  const [first] = offer.moves;
  const [field, ...others] = first ? fieldsOf(game, first) : [];
  if (field?.kind !== 'seat' || others.length) return null;
  const named = offer.moves.map((move) => seatsIn(move, field.name).length);
  return named.includes(0) ? null : { offer, field: field.name, count: Math.max(...named) };
}

const pickable = ({ offer, field }: Picker): number[] => [
  ...new Set([...offer.moves.flatMap((move) => seatsIn(move, field)), ...(offer.teams?.eligible ?? [])]),
];

/** The move that names these seats. Of many teams the server lists only some; the others differ from those in their seats. */
export function pickedMove({ offer, field }: Picker, seats: readonly number[]): Move | undefined {
  const wanted = [...seats].sort((one, other) => one - other);
  const listed = offer.moves.find((move) => seatsIn(move, field).join() === wanted.join());
  const isTeam = offer.teams?.sizes.some(([, size]) => size === wanted.length);
  return listed ?? (isTeam && offer.moves[0] ? { ...offer.moves[0], [field]: wanted } : undefined);
}

function seatsIn(move: Move, field: string): number[] {
  const part = (move as unknown as Record<string, number | number[] | null>)[field] ?? [];
  return (Array.isArray(part) ? [...part] : [part]).sort((one, other) => one - other);
}
