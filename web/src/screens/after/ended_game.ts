/** A game that is over, as its player keeps it on the screen while the table goes on. */
import { uiOf } from '../../games';
import { sideOf } from '../../replay/sides';
import { onlyDeals } from '../lobby/settings/in_person';
import type { Live } from '../../table/live.svelte';
import type { Outcome } from '../../protocol/messages';

export type EndedGame = {
  number: number;
  game: string;
  /** -1 for a spectator. */
  seat: number;
  /** As it was dealt, not as it is revealed now; missing where this browser cannot tell. */
  role: string | undefined;
  side: string;
  outcome: Outcome | null;
  /** Whether it stays on the screen when the host opens the next game; cards that are dealt again do not wait. */
  stays: boolean;
};

export function endOf(live: Live): EndedGame {
  const { room, seat, view } = live;
  const events = live.heard.map(({ event }) => event);
  const dealt = uiOf(live.game)
    .dealing?.handedOut(events)
    .find((one) => one.seat === seat);
  return {
    number: room?.number ?? 0,
    game: live.game,
    seat,
    role: dealt?.role,
    side: view && seat >= 0 ? sideOf(view, seat, room?.casting) : '',
    outcome: live.over,
    stays: room !== null && !onlyDeals(room.settings),
  };
}
