/** The status line: what happens now, whether it is the player's turn, and whom the table waits for. */
import type { Live } from '../../table/live.svelte';
import {
  isAvalon,
  isQuests,
  isSaviom,
  isThavalon,
  type QuestView,
  type SaviomView,
  type View,
} from '../../protocol/messages';
import { inGame, list, t } from '../../text';
import { plainStatus } from './plain/told';

export type Informed = Pick<Live, 'name' | 'seat' | 'room' | 'moments' | 'asked'>;

export function statusOf(live: Informed, view: View): string {
  if (live.moments.isTense) return turning(live, view);
  if (view.outcome) return t('table.over');
  if (isSaviom(view)) return inSaviom(live, view);
  if (!isQuests(view)) return plainStatus(live, view);
  const named = (seat: number | null | undefined) =>
    seat === null || seat === undefined ? '' : live.name(seat);
  switch (view.phase.name) {
    case 'propose':
      return proposing(live, view);
    case 'vote':
      return voting(live, view);
    case 'quest':
      return questing(live, view);
    case 'lady': {
      const lady = isAvalon(view) ? view.lady : null;
      return lady === live.seat
        ? t('avalon:status.lady_you')
        : t('avalon:status.lady', { lady: named(lady) });
    }
    case 'excalibur': {
      const holder = view.proposal?.excalibur;
      return holder === live.seat
        ? t('avalon:status.excalibur_you')
        : t('avalon:status.excalibur', { name: named(holder) });
    }
    case 'assassination':
      if (view.assassin === live.seat)
        return isAvalon(view) ? t('avalon:status.assassination_you') : t('thavalon:status.assassination_you');
      return t(isAvalon(view) ? 'avalon:status.assassination' : 'thavalon:status.assassination', {
        name: named(view.assassin),
      });
    case 'stand':
    case 'reckoning':
      return t('thavalon:status.window', { quest: isThavalon(view) ? (view.window ?? 0) : 0 });
    default:
      return t('table.dealing');
  }
}

/** What is being revealed, without its result. */
function turning({ moments: { now } }: Informed, view: View): string {
  return now?.is === 'QuestResolved'
    ? inGame(view.setup.game, 'quests:status.revealing', { quest: now.quest })
    : t('quests:status.dagger');
}

/** The quest that is proposed for or played; null where the leader still has to choose it. */
export function currentQuest(view: QuestView): number | null {
  if (view.proposal) return view.proposal.quest;
  return isAvalon(view) && view.setup.choose_quests ? null : Math.min(view.results.length + 1, 5);
}

function proposing(live: Informed, view: QuestView): string {
  const quest = currentQuest({ ...view, proposal: null });
  const leader = live.name(view.leader);
  const isMine = view.leader === live.seat;
  if (quest === null)
    return isMine ? t('avalon:status.propose_any_you') : t('avalon:status.propose_any', { leader });
  const size = live.room?.quests.find((plan) => plan.quest === quest)?.size ?? '';
  return isMine
    ? inGame(view.setup.game, 'quests:status.propose_you', { size, quest })
    : inGame(view.setup.game, 'quests:status.propose', { leader, size, quest });
}

function voting(live: Informed, view: QuestView): string {
  const team = list((view.proposal?.team ?? []).map((seat) => live.name(seat)));
  if (isThavalon(view) && view.first_of_pair) {
    return t('thavalon:status.vote_pair', {
      first: list(view.first_of_pair.team.map((seat) => live.name(seat))),
      second: team,
    });
  }
  const quest = view.proposal?.quest ?? 0;
  const leader = live.name(view.proposal?.leader ?? view.leader);
  return inGame(view.setup.game, 'quests:status.vote', { leader, quest, team });
}

function questing(live: Informed, view: QuestView): string {
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

function inSaviom(live: Informed, view: SaviomView): string {
  const isAlive = view.alive.includes(live.seat);
  const accused = view.accused === null ? '' : live.name(view.accused);
  const target = view.accusations[live.seat];
  switch (view.phase.name) {
    case 'day':
      if (!isAlive) return t('saviom:status.day');
      return target === undefined
        ? t('saviom:status.day_you')
        : t('saviom:status.day_done', { name: live.name(target) });
    case 'defense':
      if (view.accused === live.seat) return t('saviom:status.defense_accused');
      if (!isAlive) return t('saviom:status.defense', { accused });
      return view.verdicts[live.seat] === undefined
        ? t('saviom:status.defense_you', { accused })
        : t('saviom:status.defense_done', { accused });
    case 'night':
      return isAlive
        ? hasChosen(view, live.seat)
          ? t('saviom:status.night_done')
          : t('saviom:status.night_you')
        : t('saviom:status.night');
    default:
      return t('table.dealing');
  }
}

const hasChosen = (view: SaviomView, seat: number) =>
  [view.hunts, view.protections, view.inspections, view.suspicions].some((one) => one[seat] !== undefined);

/** Whom the table waits for, from public facts alone. */
export function waiting(live: Informed, view: View): string {
  if (view.outcome || live.moments.isTense) return '';
  if (isSaviom(view) && live.seat >= 0 && !view.alive.includes(live.seat)) return t('saviom:status.dead');
  const voted = isQuests(view) && view.phase.name === 'vote' ? view.voted : [];
  const others = view.phase.awaited.filter((seat) => seat !== live.seat && !voted.includes(seat));
  if (isSaviom(view) || !others.length) return '';
  if (others.length > 3) return t('table.waiting_count', { count: others.length });
  return t('table.waiting', { names: list(others.map((seat) => live.name(seat))) });
}

/** Whether the table waits for this seat. */
export function owes(live: Informed, view: View): boolean {
  const { seat } = live;
  if (seat < 0 || view.outcome || live.moments.isTense || !view.phase.awaited.includes(seat)) return false;
  if (isSaviom(view)) {
    if (view.phase.name === 'night') return !hasChosen(view, seat);
    return (view.phase.name === 'day' ? view.accusations : view.verdicts)[seat] === undefined;
  }
  if (!isQuests(view)) return Boolean(live.asked?.options.length);
  if (view.phase.name === 'vote') return !view.voted.includes(seat);
  return view.phase.name !== 'quest' || view.cards[seat] === undefined;
}
