import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromServer } from '../wire/messages';
import type { Line } from '../wire/socket';
import { Live } from './live.svelte';

const SILENT = { open() {}, close() {} } as unknown as Line;
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
  live.told(frame({ is: 'Entered', member: 1, now: 0 }, heard(1, { is: 'TableOpened' }), shown('quest')));
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
});

const phase = () => live.view?.phase.name;
const numbers = () => live.heard.map(({ number }) => number);

test('nothing that follows from the cards is known before the last is turned', () => {
  live.told(frame(heard(2, resolved(1)), shown('assassination')));
  live.told(frame(heard(3, { is: 'GameEnded' }), { is: 'Over', outcome: {} }));
  vi.advanceTimersByTime(TURNED - 1);
  expect([phase(), numbers(), live.over]).toEqual(['quest', [1], null]);
  vi.advanceTimersByTime(1);
  expect([phase(), numbers(), live.over]).toEqual(['assassination', [1, 2, 3], {}]);
});

test('a tap turns all cards, and everything is known', () => {
  live.told(frame(heard(2, resolved(1)), shown('propose')));
  live.moments.skip();
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
});

test('results wait for one another, in order', () => {
  live.told(frame(heard(2, resolved(1)), shown('propose')));
  live.told(frame(heard(3, resolved(2)), shown('lady')));
  vi.advanceTimersByTime(TURNED);
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
  vi.advanceTimersByTime(2_600 + TURNED);
  expect([phase(), numbers()]).toEqual(['lady', [1, 2, 3]]);
});

test('a page that nobody looks at plays nothing', () => {
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  live.told(frame(heard(2, resolved(1)), shown('propose')));
  expect([phase(), numbers()]).toEqual(['propose', [1, 2]]);
  vi.unstubAllGlobals();
});

test('who loses the line knows all that was told before they come back', () => {
  live.told(frame(heard(2, resolved(1)), shown('propose')));
  live.told(frame(heard(3, resolved(2)), shown('lady')));
  live.connection('lost', '');
  expect(live.position().heard).toBe(3);
  live.told(frame({ is: 'Entered', member: 1, now: 0 }, heard(4, resolved(3)), shown('over')));
  expect([phase(), numbers()]).toEqual(['over', [1, 2, 3, 4]]); // what was missed is not played again
});

test('whoever is given back a seat forgets what they heard as somebody who watched', () => {
  live.told(frame({ is: 'Welcome', seat: -1, names: ['Ann', 'Bình'] }, heard(2, { is: 'TeamProposed' })));
  expect([live.position().heard_as, numbers()]).toEqual([-1, [1, 2]]);
  const again = [heard(1, { is: 'TableOpened' }), heard(2, { is: 'RoleDealt' }), heard(3, resolved(1))];
  live.told(frame({ is: 'Welcome', seat: 1, names: ['Ann', 'Bình'] }, ...again, shown('propose')));
  expect([live.position().heard_as, numbers(), phase()]).toEqual([1, [1, 2, 3], 'propose']); // and nothing is played again
});
