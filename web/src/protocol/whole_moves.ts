/** An Asked as it is used: the server leaves out what moves share, and options that it has sent before. */
import type { Asked, Line, Move } from './messages';

type ToldAsked = Extract<Line, { is: 'Asked' }>;
type ToldOffers = NonNullable<ToldAsked['options']>;

/** What was last offered in each phase, by the phase's name. */
export class Offered {
  private last = new Map<string, ToldOffers>();

  /** With options: those of the last phase of this name that had any, where they are left out. Their moves are whole. */
  complete(asked: ToldAsked): Asked {
    const options = asked.options ?? this.last.get(asked.name) ?? [];
    if (options.length) this.last.set(asked.name, options);
    return { ...asked, options: options.map((offer) => withWholeMoves(offer, asked.phase)) };
  }
}

/** Moves as they are sent back: their kind is that of the offer, their phase that of the Asked. */
function withWholeMoves(offer: ToldOffers[number], phase: number): Asked['options'][number] {
  return { ...offer, moves: offer.moves.map((parts) => ({ is: offer.kind, phase, ...parts }) as Move) };
}
