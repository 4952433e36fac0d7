/** What the app asks of a game: its sentences, what is drawn at its table, its house rules, and its deal. */
import type { Component } from 'svelte';
import type { Stream } from '../fair/chance';
import type { IconName } from '../parts/Icon.svelte';
import type { Asked, Event, Setup, View } from '../protocol/messages';
import type { Choice } from '../screens/table/choice.svelte';
import type { Sender } from '../screens/table/sender.svelte';
import type { Sound } from '../sound.svelte';
import type { Live } from '../table/live.svelte';
import type { PlainKey } from '../text';
import type { Phrase } from '../text/phrases';
import type { Naming } from '../text/sentences';

/** What a game reads of a table. */
export type Table = Pick<Live, 'name' | 'seat' | 'game' | 'room' | 'heard' | 'asked'>;
/** A table whose middle is drawn, with the event that is being shown. */
export type DrawnTable = Table & Pick<Live, 'moments'>;

/** A public mark at a seat: an icon, and the word that says the same. */
export type Mark = {
  corner: 'top' | 'left' | 'right' | 'team' | 'vote';
  icon: IconName;
  word: string;
  tone?: 'good' | 'evil' | 'gold' | 'pale';
};

/** What the player has to do now; `is` names the tray that shows it. */
export type Task = {
  is: string;
  isDone?: boolean;
  /** What the tray says when it is done, or where there is nothing to do. */
  note?: string;
  /** The seats that can be tapped for it, and how many of them. */
  taps?: { seats: readonly number[]; limit: number };
};
export type Rest = { is: 'nothing'; note?: string };
export const NOTHING: Rest = { is: 'nothing' };

/** What this player did: it stands on their screen. A secret one is covered, as the role is. */
export type OwnChoice = { text: string; isSecret: boolean };
export type TrayProps<Own extends Task = Task> = {
  live: Live;
  task: Own;
  choice: Choice;
  sender: Sender;
  openTool: () => void;
};
type Trays = Readonly<Record<string, Component<TrayProps>>>;

/** The trays of a game's tasks; each gets the tasks of its own kind alone. */
export const traysOf = <Own extends Task>(trays: {
  [Kind in Exclude<Own['is'], 'nothing'>]: Component<TrayProps<Extract<Own, { is: Kind }>>>;
}): Trays => trays as unknown as Trays;

/** How an event is shown with an animation. */
export type Reveal<Of extends Event = Event> = {
  /** How many times something is turned before the result is seen. */
  steps?(event: Of): number;
  /** The status line until then. */
  status?(event: Of, game: string): string;
  /** Whether the next one takes its place at once. */
  isBrief?: boolean;
};
export type Reveals = { readonly [Kind in Event['is']]?: Reveal<Extract<Event, { is: Kind }>> };

/** A panel of the game's own among the tools of the table. */
export type Tool = {
  name: string;
  icon: IconName;
  title: PlainKey;
  Panel: Component<{ live: Live; sender: Sender; close: () => void }>;
  /** Whether the table has any use for it. */
  isUsed(view: View): boolean;
};
/** A move that a player finds beside the ways to end the game, and confirms. */
export type Parting = { kind: string; label: PlainKey; question: PlainKey };

export type Side = { isDark: boolean; sigil: readonly string[] };

export type Chosen = Record<string, unknown>;
/** A table that is known to be good: one tap instead of fifteen choices. */
export type Preset = {
  name: string;
  options: Chosen;
  fits: (seats: number) => boolean;
  isRecommended: (seats: number) => boolean;
};
/** How far a number goes by taps, and where it begins when it is switched on. */
export type Range = { least: number; most: number; step: number; first: number };
export type HouseRules = {
  presets: readonly Preset[];
  /** Whether a rule can make a difference at this table; the others would only be in the way. */
  matters(option: string, seats: number, chosen: Chosen): boolean;
  ranges: Readonly<Record<string, Range>>;
  /** The roles that can be chosen, by the option that takes them. */
  roles: Readonly<Record<string, readonly string[]>>;
  /** Roles that are chosen all or none. */
  together?: readonly string[];
};

/** Roles by seat, and what else a game deals. */
export type Deal = { roles: string[] };
export type DealtRole = { seat: number; role: string };
export type Dealing<Own extends Deal = Deal> = {
  /** The deal that follows from the setup and the stream, and from nothing else. */
  repeat(setup: Setup, chance: Stream): Own;
  /** The roles that were handed out. */
  handedOut(events: readonly Event[]): DealtRole[];
  /** Whether the rest of what was dealt is this deal's: who leads, who has a duty. */
  agrees(deal: Own, events: readonly Event[]): boolean;
};

/** One game. `plain/` has a default for every member but those that may be missing. */
export interface GameUi<Shown extends View = View> {
  /** One sentence, or '' for an event that is not told. */
  tell(game: string, event: Event, name: Naming): string;
  /** Whether a public event is announced: not where the screen shows it anyway. */
  isAnnounced(event: Event): boolean;
  sound(event: Event): Sound | null;
  /** What a narrator says of a public event, as it is said to a whole room; null where the usual sentence will do. */
  spoken(live: Table, view: Shown, event: Event): string | null;
  /** Whether it is night at this table, so that a sound covers taps. */
  isDark(view: Shown): boolean;
  reveals: Reveals;

  status(live: Table, view: Shown): string;
  /** What takes the place of whom the table waits for. */
  notice(live: Table, view: Shown): string;
  /** The seats that the table waits for and shows so, from public facts alone. */
  awaited(view: Shown, moment: Event | null): readonly number[];
  /** Whether this seat, which the phase awaits, has done its part. */
  hasActed(live: Table, view: Shown): boolean;
  marks(live: Table, view: Shown, seat: number, moment: Event | null): Mark[];
  /** What is written under the name of a seat. */
  note(live: Table, view: Shown, seat: number): string;
  isGone(view: Shown, seat: number): boolean;
  /** The seats that are lit while no others are pointed at. */
  team(view: Shown): readonly number[];

  task(asked: Asked | null, view: Shown, seat: number, choice: Pick<Choice, 'aim' | 'kept'>): Task;
  trays: Trays;
  tool?: Tool;
  parting?: Parting;

  /** What this seat did in this phase; where it did nothing, what it did last, if everyone knows that by now. */
  ownChoices(live: Table, view: Shown): OwnChoice[];
  /** What only this seat knows; `unread` messages came in the secret channel. */
  secrets(live: Table, view: Shown, unread: number): string[];
  /** The view of a player before a night that a narrator tells; missing where no night tells what roles see. */
  beforeNight?(view: Shown): Shown;
  /** The variant of a role's text, where a house rule changes what the role can do; otherwise ''. */
  roleVariant(view: Shown, role: string): string;
  /** What every player knows about the deal. */
  smallPrint(live: Table): string;
  /** The channels of this seat, in order. */
  channels(view: Shown, seat: number): string[];
  /** Who talks in this channel is secret, and so is that there is talk. */
  secretChannel?: string;
  phrases: { long: readonly Phrase[]; quick: readonly Phrase[]; cards: readonly string[] };
  /** What the table plays without, as a sentence, and the phrases that it therefore lacks. */
  unsaid?(view: Shown): { why: string; phrases: readonly Phrase[] } | null;

  /** The class of theme.css that colours the table now. */
  palette(view: Shown): string;
  Sky?: Component<{ view: Shown }>;
  Track?: Component<{ live: Table; view: Shown; light?: (team: readonly number[] | null) => void }>;
  /** `isTold`: what happens is written elsewhere, as in a replay. */
  Middle: Component<{ live: DrawnTable; view: Shown; isTold?: boolean }>;
  history: {
    Panel: Component<{ live: Table; view: Shown; light: (team: readonly number[] | null) => void }>;
    title: PlainKey;
    short: PlainKey;
  };

  rules: HouseRules;
  /** Who begins, and with what, at a real table. */
  beginning(live: Table, view: Shown): string[];

  /** The sides by name; a game of another package has none that the app can draw. */
  sides: Readonly<Record<string, Side>>;
  /** '' where only the server knows. */
  sideOf(role: string): string;
  /** What became of a seat in a finished game. */
  fates(view: Shown, seat: number): string[];
  /** What a seat played in a finished game. */
  Played?: Component<{ game: string; events: readonly Event[]; seat: number }>;
  /** The most telling facts of a finished game, from all its events and its last view. */
  highlights(events: readonly Event[], end: Shown, name: Naming): string[];
  /** Missing where this browser cannot repeat a deal. */
  dealing?: Dealing;
}
/** What a game states itself; the rest is the plain default. */
export type OwnUi<Shown extends View> = Partial<GameUi<Shown>>;
