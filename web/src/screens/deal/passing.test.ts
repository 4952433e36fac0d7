import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Room } from '../../protocol/messages';
import { forgetToken, store, stored } from '../../protocol/storage';
import { guestsOf, keepGuest, lookersAt, nextLooker } from './guests';
import { LOOK_LEAST, LOOK_MOST, Turn } from './passing.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function shown(): Turn {
  const turn = new Turn();
  turn.takeUp();
  turn.show();
  return turn;
}

test('a card is shown by two taps, and not by one', () => {
  const turn = new Turn();
  turn.show();
  expect(turn.step).toBe('pass');
  turn.takeUp();
  expect(turn.step).toBe('cover');
  turn.show();
  expect(turn.step).toBe('shown');
});

test('the phone is not passed on before everybody could have read as much', () => {
  const turn = shown();
  vi.advanceTimersByTime(LOOK_LEAST - 1);
  expect(turn.mayPassOn).toBe(false);
  vi.advanceTimersByTime(1);
  expect([turn.step, turn.mayPassOn]).toEqual(['shown', true]);
});

test('a card that is forgotten hides itself', () => {
  const turn = shown();
  vi.advanceTimersByTime(LOOK_MOST);
  expect([turn.step, turn.mayPassOn]).toEqual(['hidden', true]);
});

test('the next turn begins as the first one did, and no earlier clock runs on', () => {
  const turn = shown();
  vi.advanceTimersByTime(LOOK_LEAST);
  turn.end();
  expect([turn.step, turn.mayPassOn]).toEqual(['pass', false]);
  turn.takeUp();
  turn.show();
  vi.advanceTimersByTime(LOOK_MOST - LOOK_LEAST);
  expect(turn.step).toBe('shown');
});

const room = {
  seats: [{ member: 1 }, { member: 2 }, { member: 4 }, { member: null }, { member: 3 }],
  members: [
    { member: 1, name: 'Ana' },
    { member: 2, name: 'Bo' },
    { member: 3, name: 'Cy' },
    { member: 4, name: 'Di' },
  ],
} as unknown as Room;
const guests = [
  { member: 3, token: 'c' },
  { member: 4, token: 'd' },
  { member: 9, token: 'gone' },
];

test('the phone goes round in the order of the seats, and passes by those who have their own', () => {
  expect(lookersAt(room, guests, 1)).toEqual([
    { seat: 0, name: 'Ana', token: null },
    { seat: 2, name: 'Di', token: 'd' },
    { seat: 4, name: 'Cy', token: 'c' },
  ]);
});

test('a phone with one owner is not passed round', () => {
  expect(lookersAt(room, [], 1)).toEqual([]);
  expect(lookersAt(room, [{ member: 9, token: 'gone' }], 1)).toEqual([]);
});

test('a reloaded page goes on with the first who has not looked', () => {
  const lookers = lookersAt(room, guests, 1);
  expect(nextLooker(lookers, [])?.name).toBe('Ana');
  expect(nextLooker(lookers, [0, 1])?.name).toBe('Di');
  expect(nextLooker(lookers, [0, 2, 4])).toBeUndefined();
});

test('guests are kept for each table', () => {
  keepGuest('K7MPQ2', { member: 2, token: 'b' });
  keepGuest('K7MPQ2', { member: 3, token: 'c' });
  expect(guestsOf('K7MPQ2').map(({ token }) => token)).toEqual(['b', 'c']);
  expect(guestsOf('ABCDEF')).toEqual([]);
});

test('what is no list of guests counts as none, and a table that is left keeps no tokens of guests', () => {
  for (const written of ['{', '"guests"', '[null, 3, {"member": 2}]']) {
    store('guests.K7MPQ2', written);
    expect(guestsOf('K7MPQ2')).toEqual([]);
  }
  keepGuest('K7MPQ2', { member: 2, token: 'b' });
  forgetToken('K7MPQ2');
  expect([guestsOf('K7MPQ2'), stored('guests.K7MPQ2')]).toEqual([[], null]);
});
