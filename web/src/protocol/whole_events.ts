/** An event as it is used: the server leaves out an audience of everyone, what is null, and the setup of the room. */
import NULL_PARTS from '../games/generated/null_parts.json';
import type { Event, Room, ToldEvent } from './messages';

export function wholeEvent(told: ToldEvent, room: Room | null): Event {
  const nulls = (NULL_PARTS as Record<string, Record<string, null>>)[told.is];
  const setup = told.is === 'TableOpened' && room ? { setup: room.setup } : {};
  return { audience: 'everyone', ...nulls, ...setup, ...told } as Event;
}
