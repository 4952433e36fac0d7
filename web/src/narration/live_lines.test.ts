import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Table } from '../games/game';
import type { Event, Heard, View } from '../protocol/messages';
import { LiveLines, lineFor } from './live_lines.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NAMES = ['Ana', 'Bo', 'Chi', 'Dan', 'Eva', 'Fay'];
const table = (game: string, seat = -1): Table =>
  ({
    name: (place: number) => NAMES[place] ?? '?',
    seat,
    game,
    room: { rounds: [{ quest: 1, size: 2 }] },
    heard: [],
    asked: null,
  }) as unknown as Table;
const view = (game: string, phase: string, more: object = {}): View =>
  ({
    setup: { game, seats: 6 },
    phase: { number: 4, name: phase, awaited: [] },
    results: [],
    proposal: null,
    leader: 0,
    alive: [0, 1, 2, 3, 4, 5],
    accused: null,
    ...more,
  }) as unknown as View;
const event = (kind: string, more: object = {}): Event =>
  ({ is: kind, audience: 'everyone', ...more }) as unknown as Event;
const began = (name: string) => event('PhaseBegan', { name, number: 4, awaited: [] });

test.each([
  ['avalon', 'propose', {}, 'Ana leads. Choose 2 for quest 1.'],
  ['thavalon', 'propose', {}, 'Ana leads. Choose 2 for mission 1.'],
  ['avalon', 'vote', {}, 'Everyone, vote on your phone.'],
  ['avalon', 'quest', { proposal: { team: [1, 2], quest: 1 } }, 'Bo and Chi, play a card for quest 1.'],
  ['avalon', 'assassination', { assassin: 3 }, 'Three quests succeeded. Dan is looking for Merlin.'],
  ['saviom', 'night', {}, 'Night falls. Everyone, pick a player on your phone.'],
  ['saviom', 'day', {}, 'It is day. Talk, and accuse on your phone.'],
  ['saviom', 'defense', { accused: 4 }, 'Eva, defend yourself. Everyone else, vote on your phone.'],
])('%s begins its phase %s with a line', (game, phase, more, line) => {
  expect(lineFor(table(game), view(game, phase, more), began(phase))).toBe(line);
});

test('results are told, and what stands on the board is not', () => {
  const says = (game: string, one: Event) => lineFor(table(game), view(game, 'day'), one);
  const votes = event('VotesCounted', { ballots: [true, true, false], approved: true });
  expect(says('avalon', votes)).toBe('Approved: 2 for, 1 against.');
  expect(says('saviom', event('NightEnded', { night: 1, killed: null }))).toBe(
    'No one was killed in the night.',
  );
  expect(says('saviom', event('AccusationMade', { seat: 1, target: 2 }))).toBe('');
  expect(says('avalon', event('EntropyContributed', { seat: 1 }))).toBe('');
});

test('a seat hears the same lines as a bystander, whatever it knows and whatever was told to it alone', () => {
  const secrets = [
    event('RoleDealt', { audience: [1], seat: 1, role: 'Wolf' }),
    event('HuntMarked', { audience: [1], seat: 1, target: 2 }),
  ];
  for (const [phase, more] of [
    ['night', {}],
    ['day', {}],
    ['defense', { accused: 1 }],
  ] as const) {
    const knowing = view('saviom', phase, {
      ...more,
      roles: { 1: 'Wolf' },
      hunts: { 1: 2 },
      verdicts: { 1: true },
    });
    const bystander = lineFor(table('saviom'), view('saviom', phase, more), began(phase));
    for (const seat of [0, 1]) expect(lineFor(table('saviom', seat), knowing, began(phase))).toBe(bystander);
    for (const secret of secrets) expect(lineFor(table('saviom', 1), knowing, secret)).toBe('');
  }
});

test('lines are said one after the other, a crowd of them is cut, and the past is only shown', async () => {
  const said: string[] = [];
  const lines = new LiveLines((text) => {
    said.push(text);
    return new Promise((done) => setTimeout(done, 1_000));
  });
  const night = event('NightEnded', { night: 1, killed: null });
  const killed = (seat: number) => event('NightEnded', { night: 1, killed: seat });
  const heard: Heard[] = [];
  const hear = (...events: Event[]) => {
    for (const one of events) heard.push({ is: 'Heard', number: heard.length + 1, event: one } as Heard);
    lines.hear(table('saviom'), view('saviom', 'day'), heard);
  };
  hear(night);
  expect([lines.line, said]).toEqual(['No one was killed in the night.', []]);
  hear(killed(1));
  hear(killed(2), killed(3), killed(4), killed(5));
  await vi.advanceTimersByTimeAsync(10_000);
  const kills = ['Bo', 'Dan', 'Eva', 'Fay'].map((name) => `${name} was killed in the night.`);
  expect(said).toEqual(kills);
  expect(lines.line).toBe(kills.at(-1));
  lines.repeat();
  await vi.advanceTimersByTimeAsync(0);
  expect(said.at(-1)).toBe(kills.at(-1));
});

test('nothing is told while players look at their cards; then the first phase is said', async () => {
  const said: string[] = [];
  const lines = new LiveLines((text) => Promise.resolve(said.push(text)));
  const heard = [{ is: 'Heard', number: 3, event: began('day') } as Heard];
  const looking = { ...table('saviom'), room: { looking_until: 9_000 } } as unknown as Table;
  lines.hear(looking, view('saviom', 'day'), heard);
  expect([lines.line, said]).toEqual(['', []]);
  const begun = { ...table('saviom'), room: { looking_until: null } } as unknown as Table;
  lines.hear(begun, view('saviom', 'day'), heard);
  lines.hear(begun, view('saviom', 'day'), heard);
  await vi.advanceTimersByTimeAsync(0);
  const line = 'It is day. Talk, and accuse on your phone.';
  expect([lines.line, said]).toEqual([line, [line]]);
});
