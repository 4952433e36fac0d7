import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromServer } from './messages';
import { Connection, type ConnectionState, type Listener } from './connection';

/** A fake WebSocket that the test controls. */
class FarEnd {
  static readonly OPEN = 1;
  static all: FarEnd[] = [];
  static get last(): FarEnd {
    return FarEnd.all.at(-1) as FarEnd;
  }
  readyState = 0;
  said: Record<string, unknown>[] = [];
  lengths: number[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((frame: { data: string }) => void) | null = null;
  onclose: ((end: { code: number; reason: string }) => void) | null = null;
  constructor() {
    FarEnd.all.push(this);
  }
  send(text: string) {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
    this.lengths.push(new TextEncoder().encode(text).length);
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen?.();
  }
  tells(...messages: object[]) {
    this.onmessage?.({ data: messages.map((message) => JSON.stringify(message)).join('\n') });
  }
  ends(code: number, reason = '') {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }
  get acts() {
    return this.said.filter((message) => message.is === 'Act');
  }
}

const ENTERED = [
  { is: 'Entered', member: 1, now: 0 },
  { is: 'Room', number: 1 },
];
const WELCOME = { is: 'Welcome', heard: 7 };
const VOTE = { is: 'CastVote', phase: 2, approve: true } as const;

class RecordingListener implements Listener {
  messages: FromServer[] = [];
  states: ConnectionState[] = [];
  position = () => ({ number: 1, heard: 7, heard_as: 2, chatted: 3 });
  received = (messages: FromServer[]) => void this.messages.push(...messages);
  connectionChanged = (state: ConnectionState) => void this.states.push(state);
}

let listener: RecordingListener;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  FarEnd.all = [];
  vi.stubGlobal('WebSocket', FarEnd);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('document', { addEventListener: () => undefined, removeEventListener: () => undefined });
  listener = new RecordingListener();
  connection = new Connection('K7MPQ2', 'secret', listener, 'ws://table.example/socket/K7MPQ2');
  connection.open();
  FarEnd.last.opens();
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first word says who we are and what we saw', () => {
  const enter = {
    is: 'Enter',
    token: 'secret',
    number: 1,
    heard: 7,
    heard_as: 2,
    chatted: 3,
    views: true,
    lang: 'en',
  };
  expect(FarEnd.last.said).toEqual([enter]);
});

test('a frame is split, and the connection is live once the room is known', () => {
  FarEnd.last.tells(...ENTERED);
  expect(listener.messages.map((message) => message.is)).toEqual(['Entered', 'Room']);
  expect(listener.states).toEqual(['connecting', 'live']);
});

test('what was not answered is said again under the same id, and answered once', async () => {
  FarEnd.last.tells(...ENTERED);
  const done = connection.act(VOTE);
  const first = FarEnd.last.acts[0];
  FarEnd.last.ends(1006);
  expect(listener.states.at(-1)).toBe('lost');
  vi.advanceTimersByTime(2_000);
  FarEnd.last.opens();
  expect(FarEnd.all).toHaveLength(2);
  expect(FarEnd.last.acts).toEqual([]); // not before we are in
  FarEnd.last.tells(...ENTERED);
  expect(FarEnd.last.acts).toEqual([first]);
  FarEnd.last.tells({ is: 'Answered', id: first?.id });
  await expect(done).resolves.toBeUndefined();
});

test('how much was heard does not show in the length of the first word', () => {
  expect(FarEnd.last.lengths).toEqual([256]);
});

test('all moves are equally long', () => {
  FarEnd.last.tells(...ENTERED);
  const before = FarEnd.last.lengths.length;
  const moves = [VOTE, { ...VOTE, approve: false }, { is: 'PlayCard', phase: 12, card: 'Success' }] as const;
  for (const move of moves) connection.act(move).catch(() => undefined); // the connection is closed after the test
  expect(FarEnd.last.lengths.slice(before)).toEqual([256, 256, 256]);
});

test('a refusal is an error with the code of the server', async () => {
  FarEnd.last.tells(...ENTERED);
  const done = connection.act(VOTE);
  FarEnd.last.tells({
    is: 'Refused',
    id: FarEnd.last.acts[0]?.id,
    code: 'action/late',
    message: 'Too late.',
  });
  await expect(done).rejects.toMatchObject({ code: 'action/late', message: 'Too late.' });
});

test('a server that is busy is asked again', async () => {
  FarEnd.last.tells(...ENTERED);
  const done = connection.act(VOTE);
  const id = FarEnd.last.acts[0]?.id;
  FarEnd.last.tells({ is: 'Refused', id, code: 'room/busy', message: 'Busy.' });
  vi.advanceTimersByTime(1_100);
  expect(FarEnd.last.acts.map((act) => act.id)).toEqual([id, id]);
  FarEnd.last.tells({ is: 'Answered', id });
  await done;
});

test('a connection without answers is lost within two seconds, and opened again within five', () => {
  FarEnd.last.tells(...ENTERED);
  connection.act(VOTE).catch(() => undefined);
  vi.advanceTimersByTime(2_000);
  expect(listener.states.at(-1)).toBe('lost');
  vi.advanceTimersByTime(2_500);
  expect(FarEnd.all).toHaveLength(2);
});

test('a silent connection is pinged, and lost without a pong', () => {
  FarEnd.last.tells(...ENTERED);
  for (let second = 0; second < 60; second++) {
    vi.advanceTimersByTime(1_000);
    FarEnd.last.tells({ is: 'Pong' });
  }
  expect([listener.states.at(-1), FarEnd.all.length]).toEqual(['live', 1]);
  expect(listener.messages.map((message) => message.is)).not.toContain('Pong');
  vi.advanceTimersByTime(2_000);
  expect(listener.states.at(-1)).toBe('lost');
  FarEnd.last.tells({ is: 'Pong' });
  expect(listener.states.at(-1)).toBe('live');
});

test('a server that falls silent is left for another connection within five seconds', () => {
  FarEnd.last.tells(...ENTERED);
  vi.advanceTimersByTime(4_700);
  expect(FarEnd.all).toHaveLength(2);
});

test('a connection that never opens is closed and tried again', () => {
  FarEnd.last.ends(1006);
  vi.advanceTimersByTime(2_000);
  expect(FarEnd.all).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(FarEnd.all).toHaveLength(3);
});

test('on a slow network an answer may take longer', () => {
  FarEnd.last.tells(...ENTERED);
  vi.advanceTimersByTime(1_700); // an answer that takes most of a second
  FarEnd.last.tells({ is: 'Pong' });
  vi.advanceTimersByTime(900 + 2_000);
  expect(listener.states.at(-1)).toBe('live');
});

test('a hidden page sends no pings', () => {
  vi.stubGlobal('document', { ...document, visibilityState: 'hidden' });
  FarEnd.last.tells(...ENTERED);
  vi.advanceTimersByTime(60_000);
  expect([listener.states.at(-1), FarEnd.last.said.length]).toEqual(['live', 1]);
});

test.each([4003, 4004, 4008, 4403])(
  'after close code %i the connection is not opened again',
  async (code) => {
    FarEnd.last.tells(...ENTERED);
    const done = connection.act(VOTE);
    FarEnd.last.ends(code, 'room/unknown');
    await expect(done).rejects.toMatchObject({ code: 'room/unknown' });
    vi.advanceTimersByTime(60_000);
    expect(FarEnd.all).toHaveLength(1);
    expect(listener.states.at(-1)).toBe('gone');
  },
);

test.each([
  [1008, 'server/too_fast'],
  [1013, 'server/full'],
])('after %i (%s) we come back, but not at once', (code, reason) => {
  FarEnd.last.ends(code, reason);
  vi.advanceTimersByTime(3_000);
  expect(FarEnd.all).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  expect(FarEnd.all).toHaveLength(2);
});

test.each([
  [1006, ''],
  [1012, ''],
  [1013, 'room/busy'],
])('however often %i (%s) ends the connection, the next try comes within five seconds', (code, reason) => {
  for (let tries = 1; tries < 10; tries++) {
    expect(FarEnd.all).toHaveLength(tries);
    FarEnd.last.ends(code, reason);
    vi.advanceTimersByTime(5_000);
  }
});

test('a person who says that they are back is heard at once, each time', () => {
  FarEnd.last.tells(...ENTERED);
  connection.sayHere();
  connection.sayHere();
  expect(FarEnd.last.said.filter(({ is }) => is === 'Here')).toHaveLength(2);
});

test('the moves of an Asked are whole, to be sent back', () => {
  const offer = { kind: 'CastVote', moves: [{ approve: true }, { approve: false }] };
  FarEnd.last.tells(...ENTERED, { is: 'Asked', name: 'vote', phase: 7, options: [offer] });
  const asked = listener.messages.find((message) => message.is === 'Asked');
  expect(asked?.options.map(({ moves }) => moves)).toEqual([
    [
      { is: 'CastVote', phase: 7, approve: true },
      { is: 'CastVote', phase: 7, approve: false },
    ],
  ]);
});

test('an Asked without its phase is of the one that began last, and offers what the last one of that name did', () => {
  const offer = { kind: 'PlayCard', moves: [{ card: 'Success' }] };
  FarEnd.last.tells(...ENTERED, { is: 'Asked', name: 'quest', phase: 3, options: [offer] });
  FarEnd.last.tells({ is: 'Asked', name: 'quest', phase: 3, options: [] });
  FarEnd.last.tells([{ is: 'PhaseBegan', awaited: [], name: 'quest', number: 6 }], { is: 'Asked' });
  const asked = listener.messages.filter((message) => message.is === 'Asked');
  expect(asked.map(({ options }) => options.length)).toEqual([1, 0, 1]);
  expect(asked[2]).toMatchObject({ name: 'quest', phase: 6 });
  expect(asked[2]?.options[0]?.moves).toEqual([{ is: 'PlayCard', phase: 6, card: 'Success' }]);
});

test('an Asked without its phase is of the phase of the one before, where none has begun since', () => {
  const offer = { kind: 'Surrender', moves: [{}] };
  FarEnd.last.tells(...ENTERED, { is: 'Asked', name: 'day', phase: 4, options: [] });
  FarEnd.last.tells({ is: 'Asked', options: [offer] });
  const asked = listener.messages.filter((message) => message.is === 'Asked');
  expect(asked[1]).toMatchObject({ name: 'day', phase: 4 });
  expect(asked[1]?.options[0]?.moves).toEqual([{ is: 'Surrender', phase: 4 }]);
});

test('events come in lists and are numbered from the Welcome on', () => {
  FarEnd.last.tells(...ENTERED, WELCOME, [{ is: 'ClockPaused' }]);
  FarEnd.last.tells([{ is: 'BallotMarked', audience: [2], seat: 2, approve: true }, { is: 'ClockResumed' }]);
  const heard = listener.messages.filter((message) => message.is === 'Heard');
  expect(heard.map(({ number, event }) => [number, event.is, event.audience])).toEqual([
    [8, 'ClockPaused', 'everyone'],
    [9, 'BallotMarked', [2]],
    [10, 'ClockResumed', 'everyone'],
  ]);
});

test('events are whole: with what is null, and the setup of the room', () => {
  const setup = { game: 'avalon', seats: 5 };
  FarEnd.last.tells(...ENTERED, { is: 'Room', setup }, WELCOME, [
    { is: 'TableOpened', commitment: 'c0ffee' },
    { is: 'PhaseBegan', number: 1, name: 'vote', awaited: [0] },
    { is: 'PhaseBegan', number: 2, name: 'quest', awaited: [0], seconds: 30 },
  ]);
  const heard = listener.messages.filter((message) => message.is === 'Heard');
  expect(heard.map(({ event }) => event)).toEqual([
    { is: 'TableOpened', audience: 'everyone', commitment: 'c0ffee', setup },
    { is: 'PhaseBegan', audience: 'everyone', number: 1, name: 'vote', awaited: [0], seconds: null },
    { is: 'PhaseBegan', audience: 'everyone', number: 2, name: 'quest', awaited: [0], seconds: 30 },
  ]);
});
