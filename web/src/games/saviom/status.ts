/** The status line in town. */
import { t } from '../../text';
import type { Table } from '../game';
import { hasChosen, type SaviomView } from './view';

export function townStatus(live: Table, view: SaviomView): string {
  switch (view.phase.name) {
    case 'day':
      return day(live, view);
    case 'defense':
      return defense(live, view);
    case 'night':
      if (!view.alive.includes(live.seat)) return t('saviom:status.night');
      if (isLocked(live, view)) return t('saviom:status.night_locked');
      return hasChosen(view, live.seat) ? t('saviom:status.night_done') : t('saviom:status.night_you');
    default:
      return t('table.dealing');
  }
}

/** After it, nothing can be changed in this phase (S11). */
const isLocked = ({ seat }: Table, view: SaviomView): boolean => view.locked.includes(seat);

function day(live: Table, view: SaviomView): string {
  const target = view.accusations[live.seat];
  if (!view.alive.includes(live.seat)) return t('saviom:status.day');
  if (target === undefined) return t('saviom:status.day_you');
  const name = live.name(target);
  return isLocked(live, view)
    ? t('saviom:status.day_locked', { name })
    : t('saviom:status.day_done', { name });
}

function defense(live: Table, view: SaviomView): string {
  const accused = view.accused === null ? '' : live.name(view.accused);
  if (view.accused === live.seat) return t('saviom:status.defense_accused');
  if (!view.alive.includes(live.seat)) return t('saviom:status.defense', { accused });
  if (isLocked(live, view)) return t('saviom:status.defense_locked', { accused });
  return view.verdicts[live.seat] === undefined
    ? t('saviom:status.defense_you', { accused })
    : t('saviom:status.defense_done', { accused });
}

export const townNotice = ({ seat }: Table, view: SaviomView): string =>
  seat >= 0 && !view.alive.includes(seat) ? t('saviom:status.dead') : '';

export function hasActed({ seat }: Table, view: SaviomView): boolean {
  if (view.phase.name === 'night') return hasChosen(view, seat);
  return (view.phase.name === 'day' ? view.accusations : view.verdicts)[seat] !== undefined;
}
