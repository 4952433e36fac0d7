import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromServer } from './messages';
import { Line, type Connection, type Listener } from './socket';

/** The far end of a socket, played by the test. */
class FarEnd {
  static readonly OPEN = 1;
  static all: FarEnd[] = [];
  static get last(): FarEnd {
    return FarEnd.all.at(-1) as FarEnd;
  }
  readyState = 0;
  said: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((frame: { data: string }) => void) | null = null;
  onclose: ((end: { code: number; reason: string }) => void) | null = null;
  constructor() {
    FarEnd.all.push(this);
  }
  send(text: string) {
    this.said.push(JSON.parse(text) as Record<string, unknown>);
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
const VOTE = { is: 'CastVote', phase: 2, approve: true } as const;

class Ear implements Listener {
  told_: FromServer[] = [];
  states: Connection[] = [];
  position = () => ({ number: 1, heard: 7, heard_as: 2, chatted: 3 });
  told = (messages: FromServer[]) => void this.told_.push(...messages);
  connection = (state: Connection) => void this.states.push(state);
}

let ear: Ear;
let line: Line;

beforeEach(() => {
  vi.useFakeTimers();
  FarEnd.all = [];
  vi.stubGlobal('WebSocket', FarEnd);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
  vi.stubGlobal('document', { addEventListener: () => undefined, removeEventListener: () => undefined });
  ear = new Ear();
  line = new Line('K7MPQ2', 'secret', ear, 'ws://table.example/socket');
  line.open();
  FarEnd.last.opens();
});

afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first word says which room, who we are and what we saw', () => {
  const enter = {
    is: 'Enter',
    room: 'K7MPQ2',
    token: 'secret',
    number: 1,
    heard: 7,
    heard_as: 2,
    chatted: 3,
    views: true,
  };
  expect(FarEnd.last.said).toEqual([enter]);
});

test('a frame is taken apart, and the line is live when the room has been told', () => {
  FarEnd.last.tells(...ENTERED);
  expect(ear.told_.map((message) => message.is)).toEqual(['Entered', 'Room']);
  expect(ear.states).toEqual(['connecting', 'live']);
});

test('what was not answered is said again under the same id, and answered once', async () => {
  FarEnd.last.tells(...ENTERED);
  const done = line.act(VOTE);
  const first = FarEnd.last.acts[0];
  FarEnd.last.ends(1006);
  expect(ear.states.at(-1)).toBe('lost');
  vi.advanceTimersByTime(2_000);
  FarEnd.last.opens();
  expect(FarEnd.all).toHaveLength(2);
  expect(FarEnd.last.acts).toEqual([]); // not before we are in
  FarEnd.last.tells(...ENTERED);
  expect(FarEnd.last.acts).toEqual([first]);
  FarEnd.last.tells({ is: 'Answered', id: first?.id });
  await expect(done).resolves.toBeUndefined();
});

test('a refusal is an error with the code of the server', async () => {
  FarEnd.last.tells(...ENTERED);
  const done = line.act(VOTE);
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
  const done = line.act(VOTE);
  const id = FarEnd.last.acts[0]?.id;
  FarEnd.last.tells({ is: 'Refused', id, code: 'room/busy', message: 'Busy.' });
  vi.advanceTimersByTime(1_100);
  expect(FarEnd.last.acts.map((act) => act.id)).toEqual([id, id]);
  FarEnd.last.tells({ is: 'Answered', id });
  await done;
});

test('a line on which nobody answers is lost within two seconds, and opened anew', () => {
  FarEnd.last.tells(...ENTERED);
  line.act(VOTE).catch(() => undefined);
  vi.advanceTimersByTime(2_000);
  expect(ear.states.at(-1)).toBe('lost');
  vi.advanceTimersByTime(8_000);
  expect(FarEnd.all).toHaveLength(2);
});

test('a line that says nothing is asked whether it is alive, and one that does not answer is lost', () => {
  FarEnd.last.tells(...ENTERED);
  for (let second = 0; second < 60; second++) {
    vi.advanceTimersByTime(1_000);
    FarEnd.last.tells({ is: 'Pong' });
  }
  expect([ear.states.at(-1), FarEnd.all.length]).toEqual(['live', 1]);
  expect(ear.told_.map((message) => message.is)).not.toContain('Pong');
  vi.advanceTimersByTime(2_000);
  expect(ear.states.at(-1)).toBe('lost');
  FarEnd.last.tells({ is: 'Pong' });
  expect(ear.states.at(-1)).toBe('live');
});

test('a line that never opens is given up, and another one tried', () => {
  FarEnd.last.ends(1006);
  vi.advanceTimersByTime(2_000);
  expect(FarEnd.all).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(FarEnd.all).toHaveLength(3);
});

test('on a slow line an answer is waited for longer', () => {
  FarEnd.last.tells(...ENTERED);
  vi.advanceTimersByTime(1_700); // an answer that takes most of a second
  FarEnd.last.tells({ is: 'Pong' });
  vi.advanceTimersByTime(900 + 2_000);
  expect(ear.states.at(-1)).toBe('live');
});

test('nobody is asked while nobody looks', () => {
  vi.stubGlobal('document', { ...document, visibilityState: 'hidden' });
  FarEnd.last.tells(...ENTERED);
  vi.advanceTimersByTime(60_000);
  expect([ear.states.at(-1), FarEnd.last.said.length]).toEqual(['live', 1]);
});

test.each([4003, 4004, 4008, 4403])('after %i nobody comes back', async (code) => {
  FarEnd.last.tells(...ENTERED);
  const done = line.act(VOTE);
  FarEnd.last.ends(code, 'room/unknown');
  await expect(done).rejects.toMatchObject({ code: 'room/unknown' });
  vi.advanceTimersByTime(60_000);
  expect(FarEnd.all).toHaveLength(1);
  expect(ear.states.at(-1)).toBe('gone');
});

test.each([1008, 1013])('after %i we come back, but not at once', (code) => {
  FarEnd.last.ends(code, 'house/full');
  vi.advanceTimersByTime(3_000);
  expect(FarEnd.all).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  expect(FarEnd.all).toHaveLength(2);
});
