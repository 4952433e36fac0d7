/** An Asked as it is used: the server leaves out what moves share, and what the client knows. */
import type { Asked, Line, Move } from './messages';

type ToldAsked = Extract<Line, { is: 'Asked' }>;
type ToldOffers = NonNullable<ToldAsked['options']>;

/** What was last offered in each phase, by the phase's name. */
export class Offered {
  private last = new Map<string, ToldOffers>();
  private number = 0;
  private name = '';

  /** The phase that every Asked from now on is of, unless it says so itself. */
  phaseBegan(number: number, name: string): void {
    this.number = number;
    this.name = name;
  }

  /** With options: those of the last phase of this name that had any, where they are left out. Their moves are whole. */
  complete(asked: ToldAsked): Asked {
    const { phase = this.number, name = this.name } = asked;
    this.phaseBegan(phase, name);
    const options = asked.options ?? this.last.get(name) ?? [];
    if (options.length) this.last.set(name, options);
    return { ...asked, phase, name, options: options.map((offer) => withWholeMoves(offer, phase)) };
  }
}

/** Moves as they are sent back: their kind is that of the offer, their phase that of the Asked. */
function withWholeMoves(offer: ToldOffers[number], phase: number): Asked['options'][number] {
  return { ...offer, moves: offer.moves.map((parts) => ({ is: offer.kind, phase, ...parts }) as Move) };
}
