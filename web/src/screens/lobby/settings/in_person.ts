/** The degrees of a game around one real table (docs/room-requests.md). */
import type { Settings } from '../../../protocol/messages';

export type InPerson = NonNullable<Settings['in_person']>;

export const DEGREES = ['no', 'deal', 'narrated', 'phones'] as const satisfies readonly InPerson[];

/** What a tap on a degree changes: people in one room need no chat, those apart do. */
export const chosen = (degree: InPerson): Partial<Settings> => ({
  in_person: degree,
  has_chat: degree === 'no',
});

/** Whether the players sit beside one another, where each could read what is on another's screen. */
export const isInOneRoom = (settings: Settings | undefined) => (settings?.in_person ?? 'no') !== 'no';

/** Whether phones show the cards alone, and people play everything else face to face. */
export const onlyDeals = (settings: Settings) =>
  settings.in_person === 'deal' || settings.in_person === 'narrated';
