/** A WebSocket that reconnects, and sends each request until it is answered, under the same id. */
import { language } from '../text/language.svelte';
import { Fault } from './fault';
import { newId } from './ids';
import type { Action, FromServer, Heard, Line, Request, Room, ToldEvent, ToServer } from './messages';
import { withChanges } from './room_changes';
import { wholeEvent } from './whole_events';
import { Offered } from './whole_moves';

export type ConnectionState = 'connecting' | 'live' | 'lost' | 'gone';

/** What this client has received already (docs/protocol.md, Coming back). */
type Position = { number: number; heard: number; heard_as: number | null; chatted: number };

export interface Listener {
  position(): Position;
  received(messages: FromServer[]): void;
  connectionChanged(state: ConnectionState, reason: string): void;
}

type Said = Extract<ToServer, { is: 'Act' | 'Ask' }>;
type Waiting = { message: Said; settle: () => void; refuse: (fault: Fault) => void };
type Answer = Extract<FromServer, { is: 'Answered' | 'Refused' }>;

const FOR_GOOD = [4003, 4004, 4008, 4403]; // close codes that are final
const PADDED = ['Act', 'Enter'];
const PADDING = 256; // bytes
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 4_000; // a table goes on soon after its server or the network is back
const LATER_WAIT = 5_000; // where a rate limit or a full server has turned us away
const LONGEST_LATER_WAIT = 15_000;
const QUIET = 900; // ping after this long without a message
const PATIENCE = 1_000; // without a pong for this long, the connection counts as lost
const SLOW = 3; // or this many round trips, on a slow network
const ANSWER_TIMEOUT = 1_500; // time for an answer to a request, which the server stores first
const OPEN_TIMEOUT = 4_000; // time to open a connection
const CLOSE_AFTER = 1_500; // a lost connection is closed after this long
const PRESENCE_INTERVAL = 10_000;

export class Connection {
  private socket: WebSocket | null = null;
  private waiting = new Map<string, Waiting>();
  private failures = 0;
  private again: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;
  private saidHere = 0;
  private pinged = 0;
  private roundTrip = 0;
  private isClosed = false;
  private isCurrent = false;
  private latest: Room | null = null;
  private count = 0; // events of the game that were heard
  private readonly offered = new Offered();

  constructor(
    room: string,
    private readonly token: string | null,
    private readonly listener: Listener,
    private readonly url: string = socketUrl(room),
  ) {}

  open(): void {
    addEventListener('offline', this.onOffline);
    addEventListener('online', this.onOnline);
    addEventListener('pointerdown', this.onTouch);
    addEventListener('keydown', this.onTouch);
    document.addEventListener('visibilitychange', this.onVisible);
    this.listener.connectionChanged('connecting', '');
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    removeEventListener('offline', this.onOffline);
    removeEventListener('online', this.onOnline);
    removeEventListener('pointerdown', this.onTouch);
    removeEventListener('keydown', this.onTouch);
    document.removeEventListener('visibilitychange', this.onVisible);
    this.hangUp();
    this.abandon(new Fault('web/closed', 'This page was left.'));
  }

  act(action: Action): Promise<void> {
    return this.say({ is: 'Act', id: newId(), action });
  }

  ask(request: Request): Promise<void> {
    return this.say({ is: 'Ask', id: newId(), request });
  }

  /** The person is there: at once, however lately they were. */
  sayHere(): void {
    this.saidHere = Date.now();
    this.send({ is: 'Here' });
  }

  /** Resolves when the server has answered, however many connections that takes; rejects with a Fault. */
  private say(message: Said): Promise<void> {
    return new Promise((settle, refuse) => {
      this.waiting.set(message.id, { message, settle, refuse });
      if (this.isCurrent) this.send(message);
    });
  }

  private send(message: ToServer): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify(message);
    this.socket.send(PADDED.includes(message.is) ? padded(text) : text);
    if (message.is !== 'Here' && message.is !== 'Ping') this.expectWithin(ANSWER_TIMEOUT);
  }

  private connect(): void {
    clearTimeout(this.again);
    if (this.isClosed || this.socket) return;
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.expectWithin(OPEN_TIMEOUT);
    socket.onopen = () => {
      this.send({
        is: 'Enter',
        token: this.token,
        views: true,
        lang: language.now,
        ...this.listener.position(),
      });
    };
    socket.onmessage = (frame) => this.heard(String(frame.data));
    socket.onclose = (end) => {
      if (this.socket === socket) this.ended(end.code, end.reason);
    };
  }

  private heard(frame: string): void {
    clearTimeout(this.watchdog);
    const messages = frame.split('\n').flatMap((line) => this.read(JSON.parse(line) as Line));
    const news = messages.filter((message) => !isAnswer(message) && message.is !== 'Pong');
    if (messages.some(({ is }) => is === 'Pong')) this.roundTrip = Date.now() - this.pinged;
    if (news.length) this.listener.received(news);
    if (messages.some((message) => message.is === 'Room')) this.becomeCurrent();
    messages.filter(isAnswer).forEach((answer) => this.answered(answer));
    if (this.isCurrent) this.listener.connectionChanged('live', '');
    if (this.waiting.size) this.expectWithin(ANSWER_TIMEOUT);
    else this.watchdog = setTimeout(() => this.ping(), QUIET);
  }

  /** The message; for a RoomChanged, the Room that follows from it; for a list, a Heard for each event; an Asked with
   * whole moves. */
  private read(line: Line): FromServer[] {
    if (Array.isArray(line)) return line.map((event) => this.numbered(event));
    if (line.is === 'Asked') return [this.offered.complete(line)];
    if (line.is === 'Welcome') this.count = line.heard ?? 0;
    const message = line.is === 'RoomChanged' && this.latest ? withChanges(this.latest, line) : line;
    if (message.is === 'Room') this.latest = message;
    return [message];
  }

  private numbered(event: ToldEvent): Heard {
    this.count += 1;
    if (event.is === 'PhaseBegan') this.offered.phaseBegan(event.number, event.name);
    return { is: 'Heard', number: this.count, event: wholeEvent(event, this.latest) };
  }

  /** A browser takes minutes to notice a dead connection. */
  private ping(): void {
    if (!this.isCurrent || document.visibilityState === 'hidden') return;
    this.pinged = Date.now();
    this.send({ is: 'Ping' });
    this.expectWithin(Math.max(PATIENCE, SLOW * this.roundTrip));
  }

  /** The state is current again: send unanswered requests again, under the same ids. */
  private becomeCurrent(): void {
    if (this.isCurrent) return;
    this.isCurrent = true;
    this.failures = 0;
    for (const { message } of this.waiting.values()) this.send(message);
  }

  private answered(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    if (answer.is === 'Refused' && answer.code === 'room/busy') {
      setTimeout(() => this.send(waiting.message), FIRST_WAIT); // the request was not handled: send it again
      return;
    }
    this.waiting.delete(answer.id);
    if (answer.is === 'Answered') waiting.settle();
    else waiting.refuse(new Fault(answer.code, answer.message, answer.variant, answer.values));
  }

  private ended(code: number, reason: string): void {
    this.hangUp();
    if (FOR_GOOD.includes(code)) {
      this.isClosed = true;
      this.listener.connectionChanged('gone', reason || 'room/unknown');
      this.abandon(new Fault(reason || 'room/unknown', 'The table is gone.'));
      return;
    }
    this.listener.connectionChanged('lost', reason);
    const isLater = code === 1008 || reason === 'server/full';
    const [first, longest] = isLater ? [LATER_WAIT, LONGEST_LATER_WAIT] : [FIRST_WAIT, LONGEST_WAIT];
    const wait = Math.min(first * 2 ** this.failures++, longest);
    this.again = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private hangUp(): void {
    clearTimeout(this.again);
    clearTimeout(this.watchdog);
    const { socket } = this;
    this.socket = null;
    this.isCurrent = false;
    if (socket) socket.onclose = socket.onmessage = socket.onopen = null;
    socket?.close();
  }

  private abandon(fault: Fault): void {
    for (const { refuse } of this.waiting.values()) refuse(fault);
    this.waiting.clear();
  }

  private expectWithin(patience: number): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => {
      this.listener.connectionChanged('lost', '');
      this.watchdog = setTimeout(() => this.ended(1006, ''), CLOSE_AFTER);
    }, patience);
  }

  private onOffline = () => {
    if (!this.isClosed) this.ended(1006, '');
  };

  private onOnline = () => {
    this.failures = 0;
    this.connect();
  };

  private onVisible = () => {
    if (document.visibilityState !== 'visible') return;
    this.onOnline(); // a locked phone may have lost the connection
    this.ping();
  };

  private onTouch = () => {
    if (this.isCurrent && Date.now() - this.saidHere >= PRESENCE_INTERVAL) this.sayHere();
  };
}

/** With spaces at its end, so that its length does not tell an observer of the network which move it is, or how many
 * events were heard. */
function padded(text: string): string {
  const { length } = new TextEncoder().encode(text);
  return text + ' '.repeat(Math.ceil(length / PADDING) * PADDING - length);
}

function isAnswer(message: FromServer): message is Answer {
  return message.is === 'Answered' || message.is === 'Refused';
}

function socketUrl(room: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket/${encodeURIComponent(room)}`;
}
