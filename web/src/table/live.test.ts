import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromServer } from '../protocol/messages';
import type { Connection } from '../protocol/connection';
import { Live } from './live.svelte';

const SILENT = { open() {}, close() {} } as unknown as Connection;
const TURNED = 3 * 800; // two cards, and a moment to look at them

const frame = (...messages: object[]) => messages as unknown as FromServer[];
const heard = (number: number, event: object) => ({
  is: 'Heard',
  number,
  event: { audience: 'everyone', ...event },
});
const shown = (phase: string) => ({ is: 'View', view: { phase: { name: phase } } });
const resolved = (quest: number) => ({ is: 'QuestResolved', quest, team: [0, 1], succeeded: false });

let live: Live;

beforeEach(() => {
  vi.useFakeTimers();
  live = new Live('K7MPQ2', null, () => SILENT);
  const room = { is: 'Room', number: 1, game: 'avalon' };
  live.received(
    frame({ is: 'Entered', member: 1, now: 0 }, room, heard(1, { is: 'TableOpened' }), shown('quest')),
  );
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
});

const phase = () => live.view?.phase.name;
const numbers = () => live.heard.map(({ number }) => number);

test('nothing that follows from the cards is known before the last is turned', () => {
  live.received(frame(heard(2, resolved(1)), shown('assassination')));
  live.received(frame(heard(3, { is: 'GameEnded' }), { is: 'Over', outcome: {} }));
  vi.advanceTimersByTime(TURNED - 1);
  expect([phase(), numbers(), live.over]).toEqual(['quest', [1], null]);
  vi.advanceTimersByTime(1);
  expect([phase(), numbers(), live.over]).toEqual(['assassination', [1, 2, 3], {}]);
});

test('a tap turns all cards, and everything is known', () => {
  live.received(frame(heard(2, resolved(1)), shown('propose')));
  live.moments.skip();
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
});

test('results wait for one another, in order', () => {
  live.received(frame(heard(2, resolved(1)), shown('propose')));
  live.received(frame(heard(3, resolved(2)), shown('lady')));
  vi.advanceTimersByTime(TURNED);
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
  vi.advanceTimersByTime(2_600 + TURNED);
  expect([phase(), numbers()]).toEqual(['lady', [1, 2, 3]]);
});

test('a hidden page plays nothing', () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  live.received(frame(heard(2, resolved(1)), shown('propose')));
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
  vi.unstubAllGlobals();
});

test('a lost connection ends a reveal', () => {
  live.received(frame(heard(2, resolved(1)), shown('propose')));
  live.received(frame(heard(3, resolved(2)), shown('lady')));
  live.connectionChanged('lost', '');
  expect(live.position().heard).toBe(3);
  live.received(frame({ is: 'Entered', member: 1, now: 0 }, heard(4, resolved(3)), shown('over')));
  expect([phase(), numbers()]).toEqual(['over', [1, 2, 3, 4]]); // what was missed is not played again
});

test('a seat is called by the member who has it now', () => {
  const members = [
    { member: 1, name: 'Ann' },
    { member: 2, name: 'Mai' },
  ];
  const room = (member: number | null) => ({ is: 'Room', number: 1, members, seats: [{ member }] });
  live.received(frame(room(1), { is: 'Welcome', seat: -1, names: ['Ann'] }));
  live.received(frame(room(2)));
  expect(live.name(0)).toBe('Mai');
  live.received(frame(room(null)));
  expect(live.name(0)).toBe('Ann');
});

test('a member who gets a seat back forgets what they received as a spectator', () => {
  live.received(frame({ is: 'Welcome', seat: -1, names: ['Ann', 'Bình'] }, heard(2, { is: 'TeamProposed' })));
  expect([live.position().heard_as, numbers()]).toEqual([-1, [1, 2]]);
  const again = [heard(1, { is: 'TableOpened' }), heard(2, { is: 'RoleDealt' }), heard(3, resolved(1))];
  live.received(frame({ is: 'Welcome', seat: 1, names: ['Ann', 'Bình'] }, ...again, shown('propose')));
  expect([live.position().heard_as, numbers(), phase()]).toEqual([1, [1, 2, 3], 'propose']); // and nothing is played again
});
