/** The one sentence that says what is happening, and whether you owe something; and who is waited for. */
import type { Live } from '../../table/live.svelte';
import {
  isAvalon,
  isQuests,
  isSaviom,
  isThavalon,
  type QuestView,
  type SaviomView,
  type View,
} from '../../wire/messages';
import { list } from '../../words/speak.svelte';
import { t } from './words';

export type Teller = Pick<Live, 'name' | 'seat' | 'room' | 'moments'>;

export function happening(live: Teller, view: View): string {
  if (live.moments.isTense) return turning(live);
  if (view.outcome) return t('over');
  if (isSaviom(view)) return inSaviom(live, view);
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
      return lady === live.seat ? t('lady_you') : t('lady', { lady: named(lady) });
    }
    case 'excalibur': {
      const holder = view.proposal?.excalibur;
      return holder === live.seat ? t('excalibur_you') : t('excalibur', { name: named(holder) });
    }
    case 'assassination':
      if (view.assassin === live.seat) return isAvalon(view) ? t('shot_you') : t('call_you');
      return t(isAvalon(view) ? 'shot' : 'call', { name: named(view.assassin) });
    case 'stand':
    case 'reckoning':
      return t('stand', { quest: isThavalon(view) ? (view.window ?? 0) : 0 });
    default:
      return t('seating');
  }
}

/** What everybody looks at, and nothing of what follows from it. */
function turning({ moments: { now } }: Teller): string {
  return now?.is === 'QuestResolved' ? t('turning_quest', { quest: now.quest }) : t('dagger');
}

/** The quest that is proposed for or played; null where the leader still has to choose it. */
export function currentQuest(view: QuestView): number | null {
  if (view.proposal) return view.proposal.quest;
  return isAvalon(view) && view.setup.choose_quests ? null : Math.min(view.results.length + 1, 5);
}

function proposing(live: Teller, view: QuestView): string {
  const quest = currentQuest({ ...view, proposal: null });
  const leader = live.name(view.leader);
  const isMine = view.leader === live.seat;
  if (quest === null) return isMine ? t('propose_any_you') : t('propose_any', { leader });
  const size = live.room?.quests.find((plan) => plan.quest === quest)?.size ?? '';
  return isMine ? t('propose_you', { size, quest }) : t('propose', { leader, size, quest });
}

function voting(live: Teller, view: QuestView): string {
  const team = list((view.proposal?.team ?? []).map((seat) => live.name(seat)));
  if (isThavalon(view) && view.first_of_pair) {
    return t('vote_pair', {
      first: list(view.first_of_pair.team.map((seat) => live.name(seat))),
      second: team,
    });
  }
  const quest = view.proposal?.quest ?? 0;
  const leader = live.name(view.proposal?.leader ?? view.leader);
  if (live.seat >= 0 && !view.voted.includes(live.seat)) return t('vote_you', { leader, quest, team });
  return t('vote', { leader, quest, team });
}

function questing(live: Teller, view: QuestView): string {
  const seats = view.proposal?.team ?? [];
  const quest = view.proposal?.quest ?? 0;
  if (!seats.includes(live.seat))
    return t('quest', { team: list(seats.map((seat) => live.name(seat))), quest });
  return view.cards[live.seat] === undefined ? t('quest_you', { quest }) : t('quest_laid', { quest });
}

function inSaviom(live: Teller, view: SaviomView): string {
  const isAlive = view.alive.includes(live.seat);
  const accused = view.accused === null ? '' : live.name(view.accused);
  const target = view.accusations[live.seat];
  switch (view.phase.name) {
    case 'day':
      if (!isAlive) return t('day');
      return target === undefined ? t('day_you') : t('day_done', { name: live.name(target) });
    case 'defense':
      if (view.accused === live.seat) return t('defense_accused');
      if (!isAlive) return t('defense', { accused });
      return view.verdicts[live.seat] === undefined
        ? t('defense_you', { accused })
        : t('defense_done', { accused });
    case 'night':
      return isAlive ? (hasChosen(view, live.seat) ? t('night_done') : t('night_you')) : t('night');
    default:
      return t('seating');
  }
}

const hasChosen = (view: SaviomView, seat: number) =>
  [view.hunts, view.protections, view.inspections, view.suspicions].some((one) => one[seat] !== undefined);

/** For whom the table waits, from what everybody may know. */
export function waiting(live: Teller, view: View): string {
  if (view.outcome || live.moments.isTense) return '';
  if (isSaviom(view) && live.seat >= 0 && !view.alive.includes(live.seat)) return t('you_are_dead');
  const voted = isQuests(view) && view.phase.name === 'vote' ? view.voted : [];
  const others = view.phase.awaited.filter((seat) => seat !== live.seat && !voted.includes(seat));
  if (isSaviom(view) || !others.length) return '';
  if (others.length > 3) return t('waiting_count', { count: others.length });
  return t('waiting', { names: list(others.map((seat) => live.name(seat))) });
}

/** Whether the table waits for something of ours. */
export function owes(live: Teller, view: View): boolean {
  const { seat } = live;
  if (seat < 0 || view.outcome || live.moments.isTense || !view.phase.awaited.includes(seat)) return false;
  if (isSaviom(view)) {
    if (view.phase.name === 'night') return !hasChosen(view, seat);
    return (view.phase.name === 'day' ? view.accusations : view.verdicts)[seat] === undefined;
  }
  if (view.phase.name === 'vote') return !view.voted.includes(seat);
  return view.phase.name !== 'quest' || view.cards[seat] === undefined;
}
