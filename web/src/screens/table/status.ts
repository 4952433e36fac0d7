/** The status line: what happens now, whether it is the player's turn, and whom the table waits for. */
import { uiOf } from '../../games';
import type { DrawnTable, Table } from '../../games/game';
import type { Event, View } from '../../protocol/messages';
import { list, t } from '../../text';
import { isLooking, looks, stillLooking } from './looking';

const MOST_NAMES = 3;

export function statusOf(live: DrawnTable, view: View): string {
  if (live.moments.isTense) return live.moments.status(view.setup.game);
  if (isLooking(live.room)) return t('look.status');
  return view.outcome ? t('table.over') : uiOf(view.setup.game).status(live, view);
}

/** Whom the table waits for, from public facts alone. */
export function waiting(live: DrawnTable, view: View): string {
  if (view.outcome || live.moments.isTense) return '';
  if (live.room && isLooking(live.room)) return t('look.count', looks(live.room));
  const ui = uiOf(view.setup.game);
  const notice = ui.notice(live, view);
  const others = ui.awaited(view, null).filter((seat) => seat !== live.seat);
  if (notice || !others.length) return notice;
  if (others.length > MOST_NAMES) return t('table.waiting_count', { count: others.length });
  return t('table.waiting', { names: list(others.map((seat) => live.name(seat))) });
}

/** The seats that the table waits for and shows so. */
export const awaitedAt = (live: Table, view: View, moment: Event | null): readonly number[] =>
  live.room && isLooking(live.room) ? stillLooking(live.room) : uiOf(view.setup.game).awaited(view, moment);

/** Whether the table waits for this seat. */
export function owes(live: DrawnTable, view: View): boolean {
  const { seat } = live;
  if (isLooking(live.room)) return false;
  if (seat < 0 || view.outcome || live.moments.isTense || !view.phase.awaited.includes(seat)) return false;
  return !uiOf(view.setup.game).hasActed(live, view);
}
