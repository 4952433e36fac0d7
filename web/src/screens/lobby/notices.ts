/** What a room says about its setup, in the reader's language. */
import type { Room } from '../../protocol/messages';
import { gameText, list } from '../../text';

type Told = Pick<Room, 'game' | 'seats'>;

/** A notice with its values; a list of names is joined as the language joins them. */
export function noticeText(
  { game, seats }: Told,
  { code, message, values }: Room['notices'][number],
): string {
  const filled = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? list(value.map(String)) : String(value),
  ]);
  const known = { seats: seats.length, ...(Object.fromEntries(filled) as Record<string, string>) };
  return gameText(game, `notice.${code}`, known) ?? message;
}
