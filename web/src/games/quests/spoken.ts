/** What a narrator says in the phases that both quest games have. */
import type { Event } from '../../protocol/messages';
import { inGame, list } from '../../text';
import type { Table } from '../game';
import { currentQuest, type QuestView } from './view';

/** From public facts alone: who leads, who is on the team. */
export function questLine(live: Table, view: QuestView, event: Event): string | null {
  if (event.is !== 'PhaseBegan' || event.number !== view.phase.number) return null;
  const { game } = view.setup;
  switch (event.name) {
    case 'propose':
      return proposing(live, view);
    case 'vote':
      return 'first_of_pair' in view && view.first_of_pair ? null : inGame(game, 'quests:spoken.vote');
    case 'quest': {
      const team = list((view.proposal?.team ?? []).map((seat) => live.name(seat)));
      return inGame(game, 'quests:spoken.quest', { team, quest: view.proposal?.quest ?? 0 });
    }
    default:
      return null;
  }
}

function proposing(live: Table, view: QuestView): string | null {
  const quest = currentQuest({ ...view, proposal: null });
  const size = live.room?.rounds.find((plan) => plan.quest === quest)?.size;
  if (quest === null || size === undefined) return null;
  return inGame(view.setup.game, 'quests:spoken.propose', { leader: live.name(view.leader), size, quest });
}
