/** A table as this browser sees it: the room, the game, what is asked of us, and the state of the connection. */
import type {
  Action,
  Asked,
  Chatted,
  Clock,
  FromServer,
  Heard,
  Outcome,
  Request,
  Room,
  View,
  Welcome,
} from '../protocol/messages';
import { Connection, type ConnectionState, type Listener } from '../protocol/connection';
import { uiOf } from '../games';
import { avatarsAt } from '../parts/avatars';
import { Moments } from './moments.svelte';

const isUnseen = () => typeof document !== 'undefined' && document.visibilityState === 'hidden';

export class Live implements Listener {
  room = $state.raw<Room | null>(null);
  welcome = $state.raw<Welcome | null>(null);
  view = $state.raw<View | null>(null);
  /** Everything heard in this game, in order: for the history, for animations, for what is announced. */
  heard = $state.raw<readonly Heard[]>([]);
  asked = $state.raw<Asked | null>(null);
  clock = $state.raw<Clock | null>(null);
  over = $state.raw<Outcome | null>(null);
  chat = $state.raw<readonly Chatted[]>([]);
  member = $state<number | null>(null);
  state = $state<ConnectionState>('connecting');
  /** Why the connection is lost or gone, as a code of docs/errors.md. */
  reason = $state('');
  /** The server's clock minus this device's. */
  offset = $state(0);
  /** The event that is being shown, for example cards revealed one by one. */
  readonly moments = new Moments(
    () => uiOf(this.game).reveals,
    () => this.release(),
  );

  private readonly avatars = $derived(this.room ? avatarsAt(this.room) : []);
  private connection: Connection;
  /** Frames held back during a reveal: views, sounds and sentences would give away its result. */
  private held: FromServer[][] = [];

  constructor(code: string, token: string | null, connect?: (listener: Listener) => Connection) {
    this.connection = connect ? connect(this) : new Connection(code, token, this);
    this.connection.open();
  }

  get seat(): number {
    return this.welcome?.seat ?? -1;
  }

  get game(): string {
    return this.welcome?.game ?? this.room?.game ?? '';
  }

  get isHost(): boolean {
    return this.member !== null && this.room?.host === this.member;
  }

  /** Whether a game without spectators is played in which this member has no seat. */
  get isOutside(): boolean {
    const { room } = this;
    if (room?.stage !== 'playing' || room.settings.has_spectators !== false) return false;
    return !room.seats.some((seat) => seat.member === this.member);
  }

  /** What a seat is called: by the member who has it now, which can change in a game; otherwise by the game. */
  name(seat: number): string {
    return this.sitting(seat) ?? this.welcome?.names[seat] ?? String(seat + 1);
  }

  /** Who holds a seat: a member who is here or away, or a bot. */
  keeper(seat: number): 'here' | 'away' | 'bot' | 'stand_in' {
    const place = this.room?.seats[seat];
    if (place?.bot) return 'bot';
    if (place?.stand_in) return 'stand_in';
    return this.room?.members.find((one) => one.member === place?.member)?.is_here === false
      ? 'away'
      : 'here';
  }

  /** The avatar that the member at a seat has chosen, or one that no other seat has. */
  avatar(seat: number): string {
    return this.avatars[seat] ?? '';
  }

  act(action: Action): Promise<void> {
    return this.connection.act(action);
  }

  ask(request: Request): Promise<void> {
    return this.connection.ask(request);
  }

  /** A sign of life: a bot gives the seat back. */
  sayHere(): void {
    this.connection.sayHere();
  }

  close(): void {
    this.moments.clear();
    this.connection.close();
  }

  position() {
    return {
      number: this.room?.number ?? 0,
      heard: this.heard.at(-1)?.number ?? 0,
      heard_as: this.welcome?.seat ?? null,
      chatted: this.chat.at(-1)?.number ?? 0,
    };
  }

  connectionChanged(state: ConnectionState, reason: string): void {
    if (state === 'lost') this.catchUp();
    this.state = state;
    this.reason = reason;
  }

  received(messages: FromServer[]): void {
    const isCaughtUp = messages.some((message) => message.is === 'Entered' || this.isElsewhere(message));
    const isLate = isUnseen() || isCaughtUp; // shown at once, without animation
    if (isLate) this.catchUp();
    if (!this.held.length) {
      const events = messages.flatMap((message) => (message.is === 'Heard' ? [message.event] : []));
      if (this.heard.length) this.moments.note(events, isLate);
      if (!this.moments.isTense) return this.know(messages);
    }
    this.held.push(messages);
  }

  /** The reveal is over: handles the frames that were held back. */
  private release(): void {
    const [first, ...later] = this.held;
    this.held = [];
    if (first) this.know(first);
    for (const messages of later) this.received(messages);
  }

  private catchUp(): void {
    while (this.held.length) this.moments.hurry();
  }

  private know(messages: FromServer[]): void {
    const events: Heard[] = [];
    const lines: Chatted[] = [];
    for (const message of messages) {
      if (message.is === 'Heard') events.push(message);
      else if (message.is === 'Chatted') lines.push(message);
      else this.take(message);
    }
    if (events.length) this.heard = [...this.heard, ...events];
    if (lines.length) this.chat = [...this.chat, ...lines];
  }

  private take(message: FromServer): void {
    switch (message.is) {
      case 'Entered':
        this.member = message.member;
        this.offset = message.now - Date.now();
        break;
      case 'Room':
        if (message.number !== this.room?.number) this.clear();
        this.room = message;
        break;
      case 'Welcome':
        if (this.isElsewhere(message)) this.clear();
        this.welcome = message;
        this.clock = null;
        break;
      case 'View':
        this.view = message.view;
        if (this.asked?.phase !== message.view.phase?.number) this.asked = null;
        break;
      case 'Asked':
        this.asked = message;
        break;
      case 'Clock':
        this.clock = message;
        this.offset = message.now - Date.now();
        break;
      case 'Over':
        this.over = message.outcome;
        this.asked = null;
        break;
    }
  }

  /** Whether the seat has changed, because a claim was granted: the server sends the game again, as that seat hears it. */
  private isElsewhere(message: FromServer): boolean {
    return message.is === 'Welcome' && this.welcome !== null && message.seat !== this.welcome.seat;
  }

  /** Clears the state of the last game. */
  private clear(): void {
    this.welcome = this.view = this.asked = this.clock = this.over = null;
    this.heard = [];
    this.moments.clear();
  }

  private sitting(seat: number): string | undefined {
    const member = this.room?.seats[seat]?.member;
    return this.room?.members.find((one) => one.member === member)?.name;
  }
}
