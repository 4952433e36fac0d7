/** The moments of a quest game: votes, the cards of a quest one by one, the last strike of the Assassin. */
import type { Event, Happened } from '../../protocol/messages';
import type { Sound } from '../../sound.svelte';
import { inGame, t } from '../../text';
import type { Reveal, Reveals } from '../game';

/** The dagger is raised, then it falls. */
export const STRIKE = { steps: () => 2, status: () => t('quests:status.dagger') } satisfies Reveal;

export const REVEALS: Reveals = {
  VotesCounted: { isBrief: true },
  QuestResolved: {
    steps: (event: Happened<'QuestResolved'>) => event.team.length + 1,
    status: (event: Happened<'QuestResolved'>, game: string) =>
      inGame(game, 'quests:status.revealing', { quest: event.quest }),
  },
};

export function questSound(event: Event): Sound | null {
  switch (event.is) {
    case 'TeamProposed':
      return 'knock';
    case 'VotesCounted':
      return event.approved ? 'yes' : 'no';
    case 'QuestResolved':
      return event.succeeded ? 'triumph' : 'doom';
    case 'SidesRevealed':
      return 'bell';
    default:
      return null;
  }
}
