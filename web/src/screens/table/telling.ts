/** The one sentence that says what is happening, from what everybody may know. */
import type { Live } from '../../table/live.svelte';
import { isAvalon, isQuests, isSaviom, type View } from '../../wire/messages';
import { list } from '../../words/speak.svelte';
import { t } from './words';

export function happening(live: Live, view: View): string {
  const leader = isQuests(view) ? live.name(view.leader) : '';
  const quest = isQuests(view) ? (view.proposal?.quest ?? view.results.length + 1) : 0;
  const team = isQuests(view) ? list((view.proposal?.team ?? []).map((seat) => live.name(seat))) : '';
  switch (view.phase.name) {
    case 'propose':
      return isQuests(view) && view.leader === live.seat
        ? t('propose_you', { quest })
        : t('propose', { leader, quest });
    case 'vote':
      return t('vote', { leader, team });
    case 'quest':
      return t('quest', { team, quest });
    case 'lady':
      return t('lady', { lady: isAvalon(view) && view.lady !== null ? live.name(view.lady) : '' });
    case 'defense':
      return t('defense', {
        accused: isSaviom(view) && view.accused !== null ? live.name(view.accused) : '',
      });
    case 'excalibur':
    case 'assassination':
    case 'stand':
    case 'reckoning':
    case 'day':
    case 'night':
      return t(view.phase.name);
    default:
      return t('seating');
  }
}

/** Whether we owe something, or for whom the table waits. */
export function owing(live: Live, view: View): string {
  if (live.seat < 0) return t('watching');
  if (live.asked?.options.length && view.phase.awaited.includes(live.seat)) return t('you_owe');
  const others = view.phase.awaited.filter((seat) => seat !== live.seat);
  if (!others.length || others.length > 3) return t('waiting_all');
  return t('waiting', { names: list(others.map((seat) => live.name(seat))) });
}
