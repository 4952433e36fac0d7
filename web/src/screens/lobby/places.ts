/** Who sits where before a game, and what is still missing. */
import type { Room } from '../../protocol/messages';
import { onlyDeals } from './settings/in_person';

export type Member = Room['members'][number];
export type Place = { seat: number; member: Member | null; bot: string | null };

export function placesOf(room: Room): Place[] {
  return room.seats.map(({ member, bot }, seat) => ({
    seat,
    bot,
    member: room.members.find((one) => one.member === member) ?? null,
  }));
}

export const freeSeats = (room: Room) =>
  room.seats.flatMap(({ member, bot }, seat) => (member || bot ? [] : [seat]));

export const botSeats = (room: Room) => room.seats.flatMap(({ bot }, seat) => (bot ? [seat] : []));

export const watchers = (room: Room) =>
  room.members.filter((one) => !room.seats.some((seat) => seat.member === one.member));

export const seated = (room: Room) =>
  room.members.filter((one) => room.seats.some((seat) => seat.member === one.member));

/** Who is missing at the table. Where phones only deal, people sit there without a phone, or with one that sleeps. */
export const isAway = (room: Room, member: Member) => !member.is_here && !onlyDeals(room.settings);

/** Seated members who are not ready; the host is ready by starting. */
export const unready = (room: Room) =>
  onlyDeals(room.settings) ? [] : seated(room).filter((one) => !one.is_ready && one.member !== room.host);

/** Their names for a list, "you" first. */
export const namesWithYou = (people: readonly Member[], me: number | null, you: string): string[] => [
  ...people.filter((one) => one.member === me).map(() => you),
  ...people.filter((one) => one.member !== me).map((one) => one.name),
];

/** Where a seat is on the edge of the table, in percent: clockwise, with our own at the bottom. */
export function spot(seat: number, mine: number, count: number): { left: string; top: string } {
  const turn = ((seat - Math.max(mine, 0)) / count) * 2 * Math.PI;
  return { left: `${50 - 41 * Math.sin(turn)}%`, top: `${50 + 41 * Math.cos(turn)}%` };
}
