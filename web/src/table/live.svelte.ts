/** A table as this browser sees it: the room, the game, what is asked of us, and whether the line to it holds. */
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
} from '../wire/messages';
import { Line, type Connection, type Listener } from '../wire/socket';
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
  state = $state<Connection>('connecting');
  /** Why the line is lost or gone, as a code of docs/errors.md. */
  reason = $state('');
  /** What to add to this machine's clock to have the server's. */
  offset = $state(0);
  /** What has just happened, as it is shown: cards that are turned one by one, say. */
  readonly moments = new Moments(() => this.release());

  private line: Line;
  /** Frames that wait for cards to be turned: view, sounds and sentences would give away what the cards say. */
  private held: FromServer[][] = [];

  constructor(code: string, token: string | null, line?: (listener: Listener) => Line) {
    this.line = line ? line(this) : new Line(code, token, this);
    this.line.open();
  }

  get seat(): number {
    return this.welcome?.seat ?? -1;
  }

  get isHost(): boolean {
    return this.member !== null && this.room?.host === this.member;
  }

  /** Whether a game is played here in which we have no seat, and which nobody may watch. */
  get isOutside(): boolean {
    const { room } = this;
    if (room?.stage !== 'playing' || room.settings.has_spectators !== false) return false;
    return !room.seats.some((seat) => seat.member === this.member);
  }

  /** What a seat is called: by the game once it has begun, before that by who sits there. */
  name(seat: number): string {
    return this.welcome?.names[seat] ?? this.sitting(seat) ?? String(seat + 1);
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

  act(action: Action): Promise<void> {
    return this.line.act(action);
  }

  ask(request: Request): Promise<void> {
    return this.line.ask(request);
  }

  close(): void {
    this.moments.clear();
    this.line.close();
  }

  position() {
    return {
      number: this.room?.number ?? 0,
      heard: this.heard.at(-1)?.number ?? 0,
      heard_as: this.welcome?.seat ?? null,
      chatted: this.chat.at(-1)?.number ?? 0,
    };
  }

  connection(state: Connection, reason: string): void {
    if (state === 'lost') this.catchUp();
    this.state = state;
    this.reason = reason;
  }

  told(messages: FromServer[]): void {
    const isCaughtUp = messages.some((message) => message.is === 'Entered' || this.isElsewhere(message));
    const isLate = isUnseen() || isCaughtUp; // all at once, and nothing is played
    if (isLate) this.catchUp();
    if (!this.held.length) {
      const events = messages.flatMap((message) => (message.is === 'Heard' ? [message.event] : []));
      if (this.heard.length) this.moments.note(events, isLate);
      if (!this.moments.isTense) return this.know(messages);
    }
    this.held.push(messages);
  }

  /** The last card is turned: what waited for it may be known. */
  private release(): void {
    const [first, ...later] = this.held;
    this.held = [];
    if (first) this.know(first);
    for (const messages of later) this.told(messages);
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
        break;
      case 'View':
        this.view = message.view;
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

  /** Whether we sit elsewhere from now on: the host has given us back a seat, and we hear the game anew from there. */
  private isElsewhere(message: FromServer): boolean {
    return message.is === 'Welcome' && this.welcome !== null && message.seat !== this.welcome.seat;
  }

  /** Another game: nothing of the last one is true of it. */
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
