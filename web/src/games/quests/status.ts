/** The status line of the phases that both quest games have. */
import { inGame, list, t } from '../../text';
import type { Table } from '../game';
import { currentQuest, type QuestView } from './view';

export function questStatus(live: Table, view: QuestView): string {
  switch (view.phase.name) {
    case 'propose':
      return proposing(live, view);
    case 'vote':
      return voting(live, view);
    case 'quest':
      return questing(live, view);
    default:
      return t('table.dealing');
  }
}

function proposing(live: Table, view: QuestView): string {
  const quest = currentQuest({ ...view, proposal: null }) ?? 0;
  const size = live.room?.rounds.find((plan) => plan.quest === quest)?.size ?? '';
  return view.leader === live.seat
    ? inGame(view.setup.game, 'quests:status.propose_you', { size, quest })
    : inGame(view.setup.game, 'quests:status.propose', { leader: live.name(view.leader), size, quest });
}

function voting(live: Table, view: QuestView): string {
  const team = list((view.proposal?.team ?? []).map((seat) => live.name(seat)));
  const quest = view.proposal?.quest ?? 0;
  const leader = live.name(view.proposal?.leader ?? view.leader);
  return inGame(view.setup.game, 'quests:status.vote', { leader, quest, team });
}

function questing(live: Table, view: QuestView): string {
  const seats = view.proposal?.team ?? [];
  const quest = view.proposal?.quest ?? 0;
  if (!seats.includes(live.seat))
    return inGame(view.setup.game, 'quests:status.quest', {
      team: list(seats.map((seat) => live.name(seat))),
      quest,
    });
  return view.cards[live.seat] === undefined
    ? inGame(view.setup.game, 'quests:status.quest_you', { quest })
    : inGame(view.setup.game, 'quests:status.quest_done', { quest });
}

/** Whom the table waits for: not for those who have voted, nor while the cards of a quest are turned. */
export function awaitedOn(view: QuestView, isTurning: boolean): readonly number[] {
  if (view.outcome || (isTurning && view.phase.name === 'quest')) return [];
  const voted = view.phase.name === 'vote' ? view.voted : [];
  return view.phase.awaited.filter((seat) => !voted.includes(seat));
}

export function hasActed({ seat }: Table, view: QuestView): boolean {
  if (view.phase.name === 'vote') return view.voted.includes(seat);
  return view.phase.name === 'quest' && view.cards[seat] !== undefined;
}
