/** The public marks at a seat, each with an icon and a word. */
import type { Live } from '../../table/live.svelte';
import type { Moment } from '../../table/moments.svelte';
import { isAvalon, isQuests, isSaviom, isThavalon, type View } from '../../protocol/messages';
import { t, term } from '../../text';
import type { IconName } from '../../parts/Icon.svelte';

export type Seating = Pick<Live, 'name' | 'seat' | 'room' | 'keeper'>;
type Corner = 'top' | 'left' | 'right' | 'team' | 'vote';
export type Mark = { corner: Corner; icon: IconName; word: string; tone?: 'good' | 'evil' | 'gold' | 'pale' };

export function marksOf(
  live: Seating,
  view: View,
  seat: number,
  moment: Moment | null,
  agravaine: number | null,
): Mark[] {
  return [...keeperMarks(live, seat), ...gameMarks(view, seat, agravaine), ...voteMarks(view, seat, moment)];
}

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

function gameMarks(view: View, seat: number, agravaine: number | null): Mark[] {
  const marks: Mark[] = [];
  if (isQuests(view)) {
    if (view.leader === seat && !view.evil)
      marks.push({ corner: 'top', icon: 'crown', word: t('quests:mark.leader'), tone: 'gold' });
    if (view.proposal?.team.includes(seat))
      marks.push({ corner: 'team', icon: 'shield', word: t('quests:mark.on_team'), tone: 'gold' });
    if (view.proposal?.excalibur === seat)
      marks.push({ corner: 'right', icon: 'sword', word: t('avalon:mark.excalibur'), tone: 'pale' });
    if (view.evil?.includes(seat))
      marks.push({ corner: 'team', icon: 'mask', word: term('Evil'), tone: 'evil' });
    if (view.evil && view.assassin === seat)
      marks.push({ corner: 'right', icon: 'sword', word: t('quests:mark.dagger'), tone: 'evil' });
  }
  if (isAvalon(view) && view.lady === seat)
    marks.push({ corner: 'right', icon: 'drop', word: t('avalon:mark.lady'), tone: 'good' });
  if (isThavalon(view) && view.arthur === seat)
    marks.push({ corner: 'right', icon: 'horn', word: t('thavalon:mark.arthur'), tone: 'good' });
  if (agravaine === seat)
    marks.push({ corner: 'right', icon: 'horn', word: t('thavalon:mark.agravaine'), tone: 'evil' });
  if (isSaviom(view)) marks.push(...townMarks(view, seat));
  return marks;
}

function townMarks(view: Extract<View, { alive: number[] }>, seat: number): Mark[] {
  if (!view.alive.includes(seat)) {
    const was = view.fates[seat];
    return [
      {
        corner: 'top',
        icon: 'skull',
        word: was ? t('saviom:mark.dead_as', { role: term(was) }) : t('saviom:mark.dead'),
        tone: 'pale',
      },
    ];
  }
  const marks: Mark[] = [];
  if (view.accused === seat)
    marks.push({ corner: 'top', icon: 'flag', word: t('saviom:mark.accused'), tone: 'evil' });
  if (view.locked.includes(seat))
    marks.push({ corner: 'right', icon: 'lock', word: t('saviom:mark.locked'), tone: 'pale' });
  return marks;
}

function voteMarks(view: View, seat: number, moment: Moment | null): Mark[] {
  const shown = shownVote(seat, moment);
  if (shown !== null) {
    const word =
      moment?.is === 'VerdictsCounted'
        ? t(shown ? 'saviom:mark.spared' : 'saviom:mark.eliminated')
        : t(shown ? 'quests:mark.approved' : 'quests:mark.rejected');
    return [{ corner: 'vote', icon: shown ? 'check' : 'cross', word, tone: shown ? 'good' : 'evil' }];
  }
  const isTurning = moment?.is === 'QuestResolved' && view.phase.name === 'quest'; // every card has been played
  if (view.outcome || isTurning) return [];
  if (isQuests(view) && view.phase.name === 'vote' && view.voted.includes(seat))
    return [{ corner: 'vote', icon: 'sealed', word: t('quests:mark.voted'), tone: 'gold' }];
  if (isSaviom(view) || !view.phase.awaited.includes(seat)) return [];
  return [{ corner: 'vote', icon: 'glass', word: t('table.awaited') }];
}

function shownVote(seat: number, moment: Moment | null): boolean | null {
  if (moment?.is === 'VotesCounted') return moment.ballots[seat] ?? null;
  if (moment?.is !== 'VerdictsCounted') return null;
  return moment.save.includes(seat) ? true : moment.eliminate.includes(seat) ? false : null;
}
