/** The events of the quest games as sentences, where a catalogue key alone does not do. */
import type { Event, Happened } from '../../protocol/messages';
import { list, t, term } from '../../text';
import { sentence, telling } from '../../text/events';
import { isEvil } from './view';

/** How a quest game tells events; `untold` are those of which a later event says what came. */
export const tellingQuests = (...untold: Event['is'][]) =>
  telling((game, event, name) => {
    switch (event.is) {
      case 'BallotMarked':
        return '';
      case 'RoleDealt':
        return sentence(game, event, name, { side: term(isEvil(event.role) ? 'Evil' : 'Good') });
      case 'VotesCounted':
        return votes(event);
      case 'QuestResolved':
        return sentence(game, event, name, { cards: cardsPlayed(event) });
      default:
        return untold.includes(event.is) ? '' : sentence(game, event, name);
    }
  });
export const tellQuests = tellingQuests();

/** The leader has the crown at the table. */
export const isAnnounced = (event: Event): boolean => event.is !== 'LeaderNamed';

/** Shorter than the sentence of the catalogue, which names voters: the seats show how each of them voted. */
function votes({ ballots, approved }: Happened<'VotesCounted'>): string {
  const yes = ballots.filter((approve) => approve).length;
  const no = ballots.length - yes;
  if (!no) return t('quests:label.votes_unanimous');
  return t(approved ? 'quests:label.votes_approved' : 'quests:label.votes_rejected', { yes, no });
}

/** `2 × Success, 1 × Fail` */
function cardsPlayed({ successes, fails, reverses }: Happened<'QuestResolved'>): string {
  const kinds = [['Success', successes] as const, ['Fail', fails] as const, ['Reverse', reverses] as const];
  return kinds
    .filter(([, count]) => count)
    .map(([card, count]) => t('list.times', { count, item: term(card) }))
    .join(t('list.separator'));
}

/** What spoilt a quest: `1 Fail and 1 Reverse`, or `no Fails`. */
export function spoiling({ fails, reverses }: { fails: number; reverses: number }): string {
  const failed = fails ? t('quests:label.fails', { count: fails }) : t('quests:label.no_fails');
  return reverses ? list([failed, t('quests:label.reverses', { count: reverses })]) : failed;
}
