/** Highlights of a quest game: who fooled whom, who saw through it, what was close. */
import type { Event, Happened } from '../../protocol/messages';
import { inGame, list, t } from '../../text';
import type { Naming } from '../../text/sentences';
import { best, mostOften } from '../parts/counting';
import { cardsIn } from './cards';
import { isEvil as isEvilRole, type QuestView } from './view';

export function questHighlights(events: readonly Event[], end: QuestView, name: Naming): string[] {
  const polls = pollsIn(events);
  const { game } = end.setup;
  const isEvil = (seat: number) => isEvilRole(end.roles[seat] ?? '');
  return [
    ...fooled(polls, isEvil, name),
    ...sabotage(events, name, game),
    ...sharpEye(polls, isEvil, name),
    ...layLow(events, isEvil, name),
    ...oneVote(polls, game),
    ...manyProposals(polls, game),
  ];
}

type IsEvil = (seat: number) => boolean;
type Poll = { quest: number; team: number[]; ballots: boolean[]; approved: boolean };

function pollsIn(events: readonly Event[]): Poll[] {
  const polls: Poll[] = [];
  let proposal: Happened<'TeamProposed'> | null = null;
  for (const event of events) {
    if (event.is === 'TeamProposed') proposal = event;
    if (event.is === 'VotesCounted' && proposal)
      polls.push({ quest: proposal.quest, team: proposal.team, ...event });
  }
  return polls;
}

/** The Good seat that approved teams with the same Evil player most often. */
function fooled(polls: readonly Poll[], isEvil: IsEvil, name: Naming): string[] {
  const pairs = polls.flatMap(({ team, ballots }) =>
    team
      .filter(isEvil)
      .flatMap((evil) =>
        ballots.flatMap((approve, good) => (approve && !isEvil(good) ? [`${evil} ${good}`] : [])),
      ),
  );
  const [pair, count] = mostOften(pairs);
  if (!pair || count < 2) return [];
  const [evil, good] = pair.split(' ').map(Number) as [number, number];
  return [t('quests:highlight.fooled', { evil: name(evil), good: name(good), count })];
}

/** The Good seat that rejected most teams with Evil on them. */
function sharpEye(polls: readonly Poll[], isEvil: IsEvil, name: Naming): string[] {
  const rotten = polls.filter(({ team }) => team.some(isEvil));
  const seats = [...(polls[0]?.ballots.keys() ?? [])].filter((seat) => !isEvil(seat));
  const [seat, count] = best(seats, (one) => rotten.filter(({ ballots }) => ballots[one] === false).length);
  if (seat === null || rotten.length < 2 || count < 2) return [];
  return [t('quests:highlight.sharp_eye', { name: name(seat), count, of: rotten.length })];
}

/** The seat that played most Fails. */
function sabotage(events: readonly Event[], name: Naming, game: string): string[] {
  const spoilt = new Map<number, number[]>();
  for (const { seat, quest, card } of cardsIn(events))
    if (card === 'Fail') spoilt.set(seat, [...(spoilt.get(seat) ?? []), quest]);
  const [seat] = best([...spoilt.keys()], (one) => spoilt.get(one)?.length ?? 0);
  if (seat === null) return [];
  const quests = spoilt.get(seat) ?? [];
  return [
    inGame(game, 'quests:highlight.sabotage', {
      name: name(seat),
      quests: list(quests.map(String)),
      count: quests.length,
    }),
  ];
}

/** The Evil seat that played Success most often. */
function layLow(events: readonly Event[], isEvil: IsEvil, name: Naming): string[] {
  const quiet = cardsIn(events).filter(({ seat, card }) => isEvil(seat) && card === 'Success');
  const [seat, count] = mostOften(quiet.map((one) => String(one.seat)));
  return seat && count > 1 ? [t('quests:highlight.lay_low', { name: name(Number(seat)), count })] : [];
}

function oneVote(polls: readonly Poll[], game: string): string[] {
  const close = polls.find(({ approved, ballots }) => {
    const yes = ballots.filter(Boolean).length;
    return approved && yes - (ballots.length - yes) === 1;
  });
  return close ? [inGame(game, 'quests:highlight.one_vote', { quest: close.quest })] : [];
}

function manyProposals(polls: readonly Poll[], game: string): string[] {
  const [quest, count] = mostOften(polls.map((poll) => String(poll.quest)));
  return quest && count > 2
    ? [inGame(game, 'quests:highlight.many_proposals', { quest: Number(quest), count })]
    : [];
}
