/** The first look at a dealt card: whether the table waits for it, and whether this player has to look. */
import type { Room, View } from '../../protocol/messages';

type Looked = Pick<Room, 'looked' | 'looking_until' | 'seats'>;

/** Whether no one can move yet because players look at their cards. */
export const isLooking = (room: Looked | null): boolean => typeof room?.looking_until === 'number';

/** Whether this seat has to look at its card first, also where the game has begun without it. */
export function mustLook(room: Room | null, view: View, seat: number): boolean {
  if (!room?.settings.look_seconds || seat < 0 || view.outcome || view.phase.number === 0) return false;
  return !room.looked.includes(seat);
}

/** How many of how many have looked. */
export const looks = ({ looked, seats }: Looked) => ({ count: looked.length, seats: seats.length });

export const stillLooking = ({ looked, seats }: Looked): number[] =>
  [...seats.keys()].filter((seat) => !looked.includes(seat));
