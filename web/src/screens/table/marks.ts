/** The public marks at a seat: who holds it, those of the game, and whether the table waits for it. */
import { uiOf } from '../../games';
import type { Mark, Table } from '../../games/game';
import type { Event, View } from '../../protocol/messages';
import type { Live } from '../../table/live.svelte';
import { t } from '../../text';
import { isLooking } from './looking';
import { awaitedAt } from './status';

export type Seating = Table & Pick<Live, 'keeper' | 'avatar'>;

export function marksOf(live: Seating, view: View, seat: number, moment: Event | null): Mark[] {
  const ui = uiOf(view.setup.game);
  const own = ui.marks(live, view, seat, moment);
  const isAwaited =
    awaitedAt(live, view, moment).includes(seat) && !own.some(({ corner }) => corner === 'vote');
  if (isLooking(live.room)) return [...keeperMarks(live, seat), lookMark(!isAwaited)];
  return [
    ...keeperMarks(live, seat),
    ...own,
    ...(isAwaited ? [{ corner: 'vote', icon: 'glass', word: t('table.awaited') } as const] : []),
  ];
}

const lookMark = (hasLooked: boolean): Mark =>
  hasLooked
    ? { corner: 'vote', icon: 'check', word: t('look.has_looked'), tone: 'gold' }
    : { corner: 'vote', icon: 'glass', word: t('look.not_looked') };

function keeperMarks(live: Seating, seat: number): Mark[] {
  switch (live.keeper(seat)) {
    case 'bot':
      return [{ corner: 'left', icon: 'bot', word: t('table.is_bot'), tone: 'pale' }];
    case 'stand_in':
      return [{ corner: 'left', icon: 'bot', word: t('table.is_stand_in'), tone: 'pale' }];
    case 'away':
      return [{ corner: 'left', icon: 'away', word: t('table.is_away'), tone: 'pale' }];
    default:
      return [];
  }
}
