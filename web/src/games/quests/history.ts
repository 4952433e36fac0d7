/** Every proposal of a quest game so far, from the events heard. */
import type { Event, Happened, Heard } from '../../protocol/messages';
import { inGame, t } from '../../text';
import type { Table } from '../game';
import { historyOf, type Drawn, type History } from '../parts/history';
import { spoiling } from './telling';

type Result = Happened<'QuestResolved'>;
export type Proposal = {
  quest: number;
  attempt: number;
  leader: number;
  team: readonly number[];
  ballots: Record<number, boolean>;
  ending: 'open' | 'approved' | 'rejected' | 'missed' | 'withdrawn';
  result: Result | null;
};

export function proposalsIn(heard: readonly Heard[]): History<Proposal> {
  const at = { quest: 1, attempt: 1 };
  return historyOf<Proposal>(heard, (proposals, event) => absorb(proposals, at, event));
}

function absorb(proposals: Proposal[], at: { quest: number; attempt: number }, event: Event): void {
  const latest = proposals.at(-1);
  switch (event.is) {
    case 'LeaderNamed':
      at.attempt = event.attempt;
      break;
    case 'TeamProposed':
      at.quest = event.quest;
      proposals.push({ ...blank(event.quest, at.attempt, event.leader), team: event.team });
      break;
    case 'ProposalMissed':
      proposals.push({ ...blank(at.quest, at.attempt, event.leader), ending: 'missed' });
      break;
    case 'TeamWithdrawn':
      if (latest) latest.ending = 'withdrawn';
      break;
    case 'VotesCounted':
      if (!latest) break;
      latest.ballots = { ...event.ballots };
      latest.ending = event.approved ? 'approved' : 'rejected';
      break;
    case 'QuestResolved':
      for (const proposal of proposals.slice(-2)) if (isOf(proposal, event)) proposal.result = event;
      at.quest = event.quest + 1;
      break;
  }
}

const blank = (quest: number, attempt: number, leader: number): Proposal => ({
  quest,
  attempt,
  leader,
  team: [],
  ballots: {},
  ending: 'open',
  result: null,
});

const isOf = (proposal: Proposal, result: Result) =>
  proposal.quest === result.quest && [...proposal.team].sort().join() === [...result.team].sort().join();

/** A proposal as a column of the grid. */
export function drawn(
  live: Table,
  { quest, attempt, leader, team, ballots, ending, result }: Proposal,
): Drawn {
  return {
    head: t('quests:label.proposal_short', { quest, attempt }),
    label: inGame(live.game, 'quests:label.proposal_by', { quest, attempt, name: live.name(leader) }),
    first: leader,
    team,
    lit: team,
    marks: ballots,
    ending: t(`quests:label.ending_${ending}`),
    result: result
      ? {
          isGood: result.succeeded,
          word: t(result.succeeded ? 'quests:label.succeeded' : 'quests:label.failed'),
          detail: spoiling(result),
        }
      : undefined,
  };
}
