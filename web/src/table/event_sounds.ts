/** The sound of a public event. Private events are silent: a neighbour could hear them. */
import { uiOf } from '../games';
import type { Event } from '../protocol/messages';
import type { Sound } from '../sound.svelte';

export function soundOf(game: string, event: Event): Sound | null {
  if (event.audience !== 'everyone') return null;
  if (event.is === 'GameEnded') return ending(game, event.outcome.winner);
  return event.is === 'PhaseBegan' && event.number === 1 ? 'deal' : uiOf(game).sound(event);
}

/** Everyone hears the same, whichever side they were on. */
function ending(game: string, winner: string | null): Sound {
  const side = winner ? uiOf(game).sides[winner] : undefined;
  if (!side) return 'over';
  return side.isDark ? 'dark_wins' : 'light_wins';
}
