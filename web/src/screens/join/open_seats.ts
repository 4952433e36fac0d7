/** The seats that a newcomer can take, also from bots; and those that may be their own. */
import type { Room } from '../../protocol/messages';
import { onlyDeals } from '../lobby/settings/in_person';

export type OpenSeats = {
  /** How many seats can be taken now. */
  free: number;
  canWatch: boolean;
  /** Players who are away in a game: one of them may be this person, on another device. */
  absent: readonly { seat: number; name: string }[];
};

export function openSeatsOf(room: Room): OpenSeats {
  const canWatch = room.settings.has_spectators ?? true;
  return { free: freeSeats(room), canWatch, absent: room.stage === 'lobby' ? [] : absentPlayers(room) };
}

/** In a game only bots give up their seats; a bot that stands in for a player who is away does not. */
function freeSeats(room: Room): number {
  if (room.stage === 'lobby') return room.seats.filter(({ member }) => member === null).length;
  if (room.stage !== 'playing' || onlyDeals(room.settings)) return 0;
  return room.seats.filter(({ bot }) => bot !== null).length;
}

const absentPlayers = (room: Room) =>
  room.seats.flatMap(({ member }, seat) =>
    room.members.filter((one) => one.member === member && !one.is_here).map(({ name }) => ({ seat, name })),
  );
