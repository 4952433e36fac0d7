/** The moves of an Asked, which the server sends without what they share. */
import type { Asked, Line, Move } from './messages';

/** Moves as they are sent back: their kind is that of the offer, their phase that of the Asked. */
export function withWholeMoves(asked: Extract<Line, { is: 'Asked' }>): Asked {
  const whole = (kind: string, parts: object) => ({ is: kind, phase: asked.phase, ...parts }) as Move;
  const options = asked.options.map((offer) => ({
    ...offer,
    moves: offer.moves.map((parts) => whole(offer.kind, parts)),
  }));
  return { ...asked, options };
}
