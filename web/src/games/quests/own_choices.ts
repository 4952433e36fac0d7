/** What this seat of a quest game did: its vote and its card, covered until the others know; then its last vote. */
import { t, term } from '../../text';
import type { OwnChoice, Table } from '../game';
import type { QuestView } from './view';

export function ownQuestChoices(live: Table, view: QuestView): OwnChoice[] {
  const own = underWay(live, view);
  return own.length ? own.map((text) => ({ text, isSecret: true })) : lastVote(live, view);
}

/** The player's own vote or card before it is revealed. */
export function underWay({ seat }: Table, { phase, ballots, cards }: QuestView): string[] {
  const ballot = phase.name === 'vote' ? ballots[seat] : undefined;
  const card = phase.name === 'quest' || phase.name === 'excalibur' ? cards[seat] : undefined;
  return [
    ...(ballot === undefined ? [] : [t(ballot ? 'quests:hint.you_approve' : 'quests:hint.you_reject')]),
    ...(card === undefined ? [] : [t('quests:hint.you_played', { card: term(card) })]),
  ];
}

function lastVote({ seat, heard }: Table, { phase, outcome }: QuestView): OwnChoice[] {
  if (outcome || (phase.name !== 'propose' && phase.name !== 'quest')) return [];
  const counted = heard.flatMap(({ event }) => (event.is === 'VotesCounted' ? [event] : [])).at(-1);
  const vote = counted?.ballots[seat];
  if (vote === undefined) return [];
  return [{ text: t(vote ? 'quests:hint.last_approve' : 'quests:hint.last_reject'), isSecret: false }];
}
