/** The public marks at a seat of a quest game. */
import type { Event } from '../../protocol/messages';
import { t, term } from '../../text';
import type { Mark } from '../game';
import type { QuestView } from './view';

/** `own`: those that only one of the games has. */
export function questMarks(view: QuestView, seat: number, moment: Event | null, own: Mark[] = []): Mark[] {
  const marks: Mark[] = [];
  if (view.leader === seat && !view.evil)
    marks.push({ corner: 'top', icon: 'crown', word: t('quests:mark.leader'), tone: 'gold' });
  if (view.proposal?.team.includes(seat))
    marks.push({ corner: 'team', icon: 'shield', word: t('quests:mark.on_team'), tone: 'gold' });
  if (view.evil?.includes(seat))
    marks.push({ corner: 'team', icon: 'mask', word: term('Evil'), tone: 'evil' });
  if (view.evil && view.assassin === seat)
    marks.push({ corner: 'right', icon: 'sword', word: t('quests:mark.dagger'), tone: 'evil' });
  return [...marks, ...own, ...voteMarks(view, seat, moment)];
}

function voteMarks(view: QuestView, seat: number, moment: Event | null): Mark[] {
  const vote = moment?.is === 'VotesCounted' ? moment.ballots[seat] : undefined;
  if (vote !== undefined)
    return [
      vote
        ? { corner: 'vote', icon: 'check', word: t('quests:mark.approved'), tone: 'good' }
        : { corner: 'vote', icon: 'cross', word: t('quests:mark.rejected'), tone: 'evil' },
    ];
  if (view.outcome || view.phase.name !== 'vote' || !view.voted.includes(seat)) return [];
  return [{ corner: 'vote', icon: 'sealed', word: t('quests:mark.voted'), tone: 'gold' }];
}
