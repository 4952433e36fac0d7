/** Which screen of a room is shown. */
import type { Live } from '../../table/live.svelte';
import { onlyDeals } from '../lobby/settings/in_person';

export type RoomScreen = 'gone' | 'connecting' | 'lobby' | 'after' | 'outside' | 'deal' | 'table';

/** `hasEnd`: the end of a game is shown, possibly of one before. */
export function screenOf(live: Live, hasEnd: boolean): RoomScreen {
  const { room } = live;
  if (live.state === 'gone' || room?.stage === 'closed') return 'gone';
  if (!room) return 'connecting';
  if (hasEnd) return 'after';
  if (room.stage === 'lobby') return 'lobby';
  if (live.isOutside) return 'outside';
  return onlyDeals(room.settings) ? 'deal' : 'table';
}
