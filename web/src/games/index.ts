/** The games by name. One that the app was built without is played at the plain table. */
import type { Event } from '../protocol/messages';
import { isForEveryone } from '../text/events';
import type { Naming } from '../text/sentences';
import { avalon } from './avalon';
import type { GameUi } from './game';
import { plain } from './plain';
import { saviom } from './saviom';
import { thavalon } from './thavalon';

const OWN = { avalon, thavalon, saviom };
/** Each gets the views of its own game alone. */
const UIS = new Map(Object.entries(OWN).map(([game, own]) => [game, { ...plain, ...own } as GameUi]));

export const uiOf = (game: string): GameUi => UIS.get(game) ?? plain;

export const tell = (game: string, event: Event, name: Naming): string => uiOf(game).tell(game, event, name);

/** The same for a whole room: nothing that one seat alone knows, and nothing that can be read on the screen anyway. */
export const announce = (game: string, event: Event, name: Naming): string =>
  isForEveryone(event) && uiOf(game).isAnnounced(event) ? tell(game, event, name) : '';
