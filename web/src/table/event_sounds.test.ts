import { expect, test } from 'vitest';
import type { Event } from '../protocol/messages';
import { soundOf } from './event_sounds';

const heard = (event: object) => ({ audience: 'everyone', ...event }) as unknown as Event;
const ended = (winner: string | null) => heard({ is: 'GameEnded', outcome: { winner } });

test('each side has its own ending, the same for every player', () => {
  expect(soundOf('avalon', ended('Good'))).toBe('light_wins');
  expect(soundOf('thavalon', ended('Evil'))).toBe('dark_wins');
  expect(soundOf('saviom', ended('Wolves'))).toBe('dark_wins');
  expect(soundOf('avalon', ended(null))).toBe('over');
});

test('the cards are heard once, when the game begins', () => {
  expect(soundOf('avalon', heard({ is: 'PhaseBegan', number: 1 }))).toBe('deal');
  expect(soundOf('avalon', heard({ is: 'PhaseBegan', number: 2 }))).toBe(null);
});

test('a death and a dawn without one sound different', () => {
  expect(soundOf('saviom', heard({ is: 'NightEnded', killed: 3 }))).toBe('death');
  expect(soundOf('saviom', heard({ is: 'NightEnded', killed: null }))).toBe('dawn');
});

test('what one seat alone hears is silent', () => {
  expect(soundOf('avalon', { ...ended('Good'), audience: [2] } as Event)).toBe(null);
  expect(soundOf('saviom', { ...heard({ is: 'NightEnded', killed: 3 }), audience: [0] } as Event)).toBe(null);
});
