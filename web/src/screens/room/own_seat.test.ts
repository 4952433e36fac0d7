import { expect, test } from 'vitest';
import type { Room } from '../../protocol/messages';
import { isModerating, isPlayedFor } from './own_seat';

const room = (more: object) =>
  ({
    stage: 'playing',
    host: 1,
    seats: [
      { member: 2, stand_in: 'careful' },
      { member: 3, stand_in: null },
    ],
    notices: [{ code: 'moderator' }],
    ...more,
  }) as unknown as Room;

test('a player for whom a bot plays is told so, and no one else is', () => {
  expect([1, 2, 3, null].map((me) => isPlayedFor(room({}), me))).toEqual([false, true, false, false]);
  expect(isPlayedFor(room({ stage: 'lobby' }), 2)).toBe(false);
});

test('the moderator is the host without a seat', () => {
  expect([1, 2, null].map((me) => isModerating(room({}), me))).toEqual([true, false, false]);
  expect(isModerating(room({ notices: [] }), 1)).toBe(false);
  expect(isModerating(room({ host: 2 }), 2)).toBe(false);
});
