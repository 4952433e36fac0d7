/** The messages of the protocol by name; the types are generated from the server's schema (tools/types.js). */
import type { components } from './generated/messages';

type Schemas = components['schemas'];

/** A line of a frame: a message, or a list of events. */
export type Line = Schemas['FromServer'];
/** A message; an event comes as a Heard, with its number in the game, and the moves of an Asked are whole. */
export type FromServer = Exclude<Line, readonly unknown[] | { is: 'Asked' }> | Heard | Asked;
export type ToServer = Schemas['ToServer'];

export type Room = Schemas['Room'];
export type Settings = Schemas['Settings'];
export type Setup = Schemas['Setup'];
export type Welcome = Schemas['Welcome'];
export type Heard = { is: 'Heard'; number: number; event: Event };
/** An Asked whose moves are whole, as they are sent back. */
export type Asked = Omit<Schemas['Asked'], 'options'> & { options: Offer[] };
export type Clock = Schemas['Clock'];
export type Chatted = Schemas['Chatted'];
export type Outcome = Schemas['Outcome'];
export type Offer = Omit<Schemas['Offer'], 'moves'> & { moves: Move[] };
export type Teams = Schemas['Teams'];
/** Something that happened, whole: a line leaves out parts of it. */
export type Event = Required<Schemas['Event']>;
export type ToldEvent = Schemas['Event'];
export type Action = Schemas['Action'];
export type Move = Extract<Action, { phase: number }>;
export type Request = Schemas['Ask']['request'];

type AnyView = Schemas['TableState'];
/** What the view of every game has; more is known in the folder of a game alone (src/games/). */
export type View = Pick<
  AnyView,
  | 'commitment'
  | 'phase'
  | 'floors'
  | 'countdown'
  | 'is_paused'
  | 'wants_countdown'
  | 'wants_call_off'
  | 'outcome'
> & { setup: { game: string; seats: number }; roles?: Record<number, string> };

/** The event of this kind. */
export type Happened<Kind extends Event['is']> = Extract<Event, { is: Kind }>;

/** The roles that are known, by seat; a game of another package may have none. */
export const rolesOf = (view: View): Readonly<Record<number, string>> => view.roles ?? {};
