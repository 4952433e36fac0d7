/** What a player of a quest game has to do now: name a team, vote, play a card, or aim at a seat. */
import type { Asked, Move, Offer, Teams } from '../../protocol/messages';
import { t } from '../../text';
import { NOTHING, type Rest } from '../game';
import { aimTaskOf, ballotOf, type AimTask, type BallotTask } from '../parts/aims';
import type { Card, QuestView } from './view';

export type TeamTask = {
  is: 'team';
  teams: Teams;
  phase: number;
  taps: { seats: number[]; limit: number };
};
export type CardTask = {
  is: 'cards';
  cards: readonly Card[];
  moves: Move[];
  isDone: boolean;
  note: string;
};
export type QuestTask = TeamTask | BallotTask | CardTask | AimTask | Rest;

/** What differs between the two games: their cards, and the moves that end a game. */
type Own = { cards: readonly Card[]; final: readonly string[] };

export function questTask(
  asked: Asked | null,
  view: QuestView,
  seat: number,
  chosen: number,
  { cards, final }: Own,
): QuestTask {
  if (view.outcome || seat < 0) return NOTHING;
  const offers = asked?.options ?? [];
  if (view.phase.name === 'quest') return cardTask(offers, view, seat, cards);
  const team = offers.find((offer) => offer.teams);
  if (team?.teams) return teamTask(team.teams, asked?.phase ?? 0, chosen);
  const isFinal = offers.some((offer) => final.includes(offer.kind));
  return ballot(offers, view, seat) ?? aimTaskOf(offers, chosen, isFinal) ?? NOTHING;
}

/** `chosen`: which of the quests that may be chosen. */
function teamTask(teams: Teams, phase: number, chosen: number): TeamTask {
  const limit = teams.sizes[chosen]?.[1] ?? 0;
  return { is: 'team', teams, phase, taps: { seats: teams.eligible, limit } };
}

/** Every member of the team is shown every card of the game, whatever their role may play. */
function cardTask(offers: Offer[], view: QuestView, seat: number, cards: readonly Card[]): QuestTask {
  if (!view.proposal?.team.includes(seat)) return NOTHING;
  const moves = offers.flatMap((offer) => offer.moves);
  const note = t('quests:hint.card_played');
  return { is: 'cards', cards, moves, isDone: view.cards[seat] !== undefined, note };
}

function ballot(offers: Offer[], view: QuestView, seat: number): BallotTask | undefined {
  const found = ballotOf(
    offers,
    (one) => one.is === 'CastVote' && one.approve,
    (one) => one.is === 'CastVote' && !one.approve,
  );
  return (
    found && {
      ...found,
      hint: t('quests:hint.vote_secret'),
      note: t('table.vote_cast'),
      isDone: view.ballots[seat] !== undefined,
    }
  );
}
