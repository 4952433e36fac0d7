/** A Room with the changes that a RoomChanged tells. The Room before stays as it is. */
import type { FromServer, Room } from './messages';

type RoomChanged = Extract<FromServer, { is: 'RoomChanged' }>;
type Step = string | number;

export function withChanges(room: Room, { changes }: RoomChanged): Room {
  return changes.reduce((now, [path, value]) => replaced(now, path, value) as Room, room);
}

function replaced(within: unknown, [step, ...deeper]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  const copy = (Array.isArray(within) ? [...within] : { ...(within as object) }) as Record<Step, unknown>;
  copy[step] = replaced(copy[step], deeper, value);
  return copy;
}
