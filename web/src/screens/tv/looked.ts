/** How many of the people at a table have looked at their role: a public count. */
import type { Room } from '../../protocol/messages';

export function countLooked(room: Room): { looked: number | null; seats: number } {
  const { looked } = room as Room & { looked?: readonly number[] };
  return { looked: looked ? looked.length : null, seats: room.seats.length };
}
