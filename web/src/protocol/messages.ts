/** The messages of the protocol by name; the types are generated from the server's schema (tools/types.js). */
import type { components } from './generated/messages';

type Schemas = components['schemas'];

export type FromServer = Schemas['FromServer'];
export type ToServer = Schemas['ToServer'];

export type Room = Schemas['Room'];
export type Settings = Schemas['Settings'];
export type Setup = Schemas['Setup'];
export type Welcome = Schemas['Welcome'];
export type Heard = Schemas['Heard'];
export type Asked = Schemas['Asked'];
export type Clock = Schemas['Clock'];
export type Chatted = Schemas['Chatted'];
export type Outcome = Schemas['Outcome'];
export type Offer = Schemas['Offer'];
export type Teams = Schemas['Teams'];
export type Event = Schemas['Event'];
export type Action = Schemas['Action'];
export type Move = Schemas['Move'];
export type Request = Schemas['Ask']['request'];

export type AvalonView = Schemas['avalon.AvalonState'];
export type ThavalonView = Schemas['thavalon.ThavalonState'];
export type SaviomView = Schemas['saviom.SaviomState'];
export type QuestView = AvalonView | ThavalonView;
/** What the view of every game has; the app knows no more about a game of another package. */
export type PlainView = Pick<
  AvalonView,
  | 'commitment'
  | 'phase'
  | 'floors'
  | 'countdown'
  | 'is_paused'
  | 'wants_countdown'
  | 'wants_call_off'
  | 'outcome'
> & { setup: { game: string; seats: number }; roles?: Record<number, string> };
export type View = QuestView | SaviomView | PlainView;

export type Card = Schemas['quests.Card'];

export const isAvalon = (view: View): view is AvalonView => view.setup.game === 'avalon';
export const isThavalon = (view: View): view is ThavalonView => view.setup.game === 'thavalon';
export const isSaviom = (view: View): view is SaviomView => view.setup.game === 'saviom';
export const isQuests = (view: View): view is QuestView => isAvalon(view) || isThavalon(view);

/** The roles that are known, by seat; a game of another package may have none. */
export const rolesOf = (view: View): Readonly<Record<number, string>> => view.roles ?? {};
