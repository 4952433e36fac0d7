/** The public marks at a seat in town. */
import type { Event } from '../../protocol/messages';
import { t, term } from '../../text';
import type { Mark, Table } from '../game';
import type { SaviomView } from './view';

export function townMarks(view: SaviomView, seat: number, moment: Event | null): Mark[] {
  return [
    ...(view.alive.includes(seat) ? ofTheLiving(view, seat) : [ofTheDead(view, seat)]),
    ...verdictMarks(seat, moment),
  ];
}

function ofTheDead(view: SaviomView, seat: number): Mark {
  const revealed = view.fates[seat];
  const word = revealed ? t('saviom:mark.dead_as', { role: term(revealed) }) : t('saviom:mark.dead');
  return { corner: 'top', icon: 'skull', word, tone: 'pale' };
}

function ofTheLiving(view: SaviomView, seat: number): Mark[] {
  const marks: Mark[] = [];
  if (view.accused === seat)
    marks.push({ corner: 'top', icon: 'flag', word: t('saviom:mark.accused'), tone: 'evil' });
  if (view.locked.includes(seat))
    marks.push({ corner: 'right', icon: 'lock', word: t('saviom:mark.locked'), tone: 'pale' });
  return marks;
}

function verdictMarks(seat: number, moment: Event | null): Mark[] {
  if (moment?.is !== 'VerdictsCounted') return [];
  if (moment.save.includes(seat))
    return [{ corner: 'vote', icon: 'check', word: t('saviom:mark.spared'), tone: 'good' }];
  if (moment.eliminate.includes(seat))
    return [{ corner: 'vote', icon: 'cross', word: t('saviom:mark.eliminated'), tone: 'evil' }];
  return [];
}

/** Whom a seat accuses. */
export function accusationNote(live: Table, view: SaviomView, seat: number): string {
  const target = view.accusations[seat];
  return target === undefined ? '' : t('saviom:mark.accuses', { name: live.name(target) });
}
