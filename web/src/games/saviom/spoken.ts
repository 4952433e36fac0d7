/** What a narrator says in town. Who is accused stands on the board; who taps at night does not matter to anyone. */
import type { Event } from '../../protocol/messages';
import { t } from '../../text';
import type { Table } from '../game';
import type { SaviomView } from './view';

const UNSAID: Event['is'][] = ['AccusationMade', 'AccusationWithdrawn', 'DayEnded'];

export function townLine(live: Table, view: SaviomView, event: Event): string | null {
  if (UNSAID.includes(event.is)) return '';
  if (event.is !== 'PhaseBegan' || event.number !== view.phase.number) return null;
  switch (event.name) {
    case 'night':
      return t('saviom:spoken.night');
    case 'day':
      return t('saviom:spoken.day');
    case 'defense':
      return view.accused === null ? null : t('saviom:spoken.defense', { accused: live.name(view.accused) });
    default:
      return null;
  }
}
