import { expect, test } from 'vitest';
import type { Room } from '../../protocol/messages';
import { openSeatsOf } from './open_seats';

const seat = (member: number | null, bot: string | null = null, stand_in: string | null = null) => ({
  member,
  bot,
  stand_in,
});
const room = (stage: Room['stage'], settings: Partial<Room['settings']> = {}) =>
  ({
    stage,
    settings,
    members: [
      { member: 1, name: 'Ann', is_here: true },
      { member: 2, name: 'Bình', is_here: false },
    ],
    seats: [seat(1), seat(2, null, 'careful'), seat(null, 'careful'), seat(null), seat(null, 'careful')],
  }) as unknown as Room;

test('the seats of bots are free in the lobby', () => {
  expect(openSeatsOf(room('lobby'))).toEqual({ free: 3, canWatch: true, absent: [] });
});

test('in a game bots give up their seats, and stand-ins do not', () => {
  expect(openSeatsOf(room('playing')).free).toBe(2);
  expect(openSeatsOf(room('playing', { in_person: 'deal' })).free).toBe(0);
});

test('a finished game has no seat to take, and a player who is away is named with their own seat', () => {
  expect(openSeatsOf(room('over'))).toEqual({ free: 0, canWatch: true, absent: [{ seat: 1, name: 'Bình' }] });
});
