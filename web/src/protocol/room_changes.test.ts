import { expect, test } from 'vitest';
import type { Room } from './messages';
import { withChanges } from './room_changes';

const member = (number: number) => ({ member: number, name: `Player ${number}`, is_ready: false });
const before = { is: 'Room', number: 0, stage: 'lobby', members: [member(1), member(2)], problems: [] };
const changed = (...changes: [(string | number)[], unknown][]) =>
  withChanges(before as unknown as Room, { is: 'RoomChanged', changes });

test('what has changed is replaced, wherever it stands', () => {
  expect(changed([['members', 1, 'is_ready'], true], [['stage'], 'playing'])).toEqual({
    ...before,
    stage: 'playing',
    members: [member(1), { ...member(2), is_ready: true }],
  });
});

test('the room before stays as it is', () => {
  changed([['members', 0, 'name'], 'Another'], [['members'], []]);
  expect(before.members).toEqual([member(1), member(2)]);
});
