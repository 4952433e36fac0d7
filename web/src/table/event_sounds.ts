/** The sound of a public event. Private events are silent: a neighbour could hear them. */
import { uiOf } from '../games';
import type { Event } from '../protocol/messages';
import type { Sound } from '../sound.svelte';

export function soundOf(game: string, event: Event): Sound | null {
  if (event.audience !== 'everyone') return null;
  return event.is === 'GameEnded' ? 'over' : uiOf(game).sound(event);
}
