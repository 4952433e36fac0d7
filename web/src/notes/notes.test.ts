import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownMark } from './marks';
import { Notes } from './notes.svelte';

/** What a browser has: names in an order, and text. */
function storage() {
  const held = new Map<string, string>();
  return {
    get length() {
      return held.size;
    },
    key: (index: number) => [...held.keys()][index] ?? null,
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, text: string) => void held.set(name, text),
    removeItem: (name: string) => void held.delete(name),
  };
}

beforeEach(() => void vi.stubGlobal('localStorage', storage()));
afterEach(() => void vi.unstubAllGlobals());

test('notes are there again after a reload', () => {
  const notes = new Notes('K7MPQ2', 1, false);
  notes.mark(2, 'suspect');
  notes.guess(2, 'Oberon');
  notes.write('Eve voted no.');
  notes.show(false);
  const again = new Notes('K7MPQ2', 1, false);
  expect([again.of(2), again.text, again.isShown]).toEqual([
    { suspicion: 'suspect', role: 'Oberon' },
    'Eve voted no.',
    false,
  ]);
});

test('in one room the marks are hidden from neighbours until the player shows them', () => {
  const notes = new Notes('K7MPQ2', 1, true);
  notes.guess(2, 'Merlin');
  expect([notes.isShown, new Notes('K7MPQ2', 1, true).isShown]).toEqual([false, false]);
  notes.show(true);
  expect(new Notes('K7MPQ2', 1, true).isShown).toBe(true);
  expect(new Notes('AAAAAA', 1, false).isShown).toBe(true);
});

test('the next game of the room begins without them, and other rooms keep theirs', () => {
  new Notes('K7MPQ2', 1, false).mark(2, 'trust');
  new Notes('AAAAAA', 1, false).mark(3, 'unsure');
  expect(new Notes('K7MPQ2', 2, false).of(2)).toEqual({});
  expect(new Notes('K7MPQ2', 1, false).of(2)).toEqual({});
  expect(new Notes('AAAAAA', 1, false).of(3)).toEqual({ suspicion: 'unsure' });
});

test('a mark and a guess are taken back one by one', () => {
  const notes = new Notes('K7MPQ2', 1, false);
  notes.mark(1, 'trust');
  notes.guess(1, 'Merlin');
  notes.mark(1, null);
  expect(notes.of(1)).toEqual({ role: 'Merlin' });
  notes.guess(1, '');
  expect([notes.of(1), ownMark(notes.of(1), 'avalon')]).toEqual([{}, null]);
});

test('cleared notes leave nothing behind', () => {
  const notes = new Notes('K7MPQ2', 1, false);
  notes.mark(1, 'trust');
  notes.clear();
  expect([notes.of(1), localStorage.length]).toEqual([{}, 0]);
});

test('a mark says in words what it draws', () => {
  const own = ownMark({ suspicion: 'suspect', role: 'Oberon' }, 'avalon');
  expect(own).toEqual({ suspicion: 'suspect', guess: 'Oberon?', words: 'your mark: Suspect, Oberon?' });
});

const sources = import.meta.glob<string>('./*.{ts,svelte}', {
  eager: true,
  query: '?raw',
  import: 'default',
});

test('no file of the notes can send anything', () => {
  const files = Object.entries(sources).filter(([path]) => !path.endsWith('.test.ts'));
  expect(files.length).toBe(4);
  const sending = /live\.|connection|fetch|protocol\/(?!storage)|\.act\(|\.ask\(/;
  expect(files.filter(([, source]) => sending.test(source)).map(([path]) => path)).toEqual([]);
});
