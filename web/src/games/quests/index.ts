/** What the quest games share, in the same parts as a game. */
import { t } from '../../text';
import { traysOf, type OwnUi, type Side } from '../game';
import AimTray from '../parts/AimTray.svelte';
import BallotTray from '../parts/BallotTray.svelte';
import CardsPlayed from './CardsPlayed.svelte';
import CardTray from './CardTray.svelte';
import { ownQuestChoices } from './own_choices';
import { questHighlights } from './highlights';
import { questMarks } from './marks';
import QuestHistory from './QuestHistory.svelte';
import QuestMiddle from './QuestMiddle.svelte';
import QuestTrack from './QuestTrack.svelte';
import { questSound, REVEALS } from './reveals';
import { questSecrets } from './secrets';
import { questLine } from './spoken';
import { awaitedOn, hasActed, questStatus } from './status';
import type { QuestTask } from './task';
import TeamTray from './TeamTray.svelte';
import { isAnnounced, tellQuests } from './telling';
import { isEvil, type QuestView } from './view';

const SIDES: Record<string, Side> = {
  Good: {
    isDark: false,
    sigil: [
      'M5 3h14c0 6-2.500 9.500-5.700 10.300V18h3.200a1 1 0 0 1 1 1v2h-11v-2a1 1 0 0 1 1-1h3.200v-4.700C7.500 12.500 5 9 5 3z',
    ],
  },
  Evil: {
    isDark: true,
    sigil: ['M12 2l2.200 4v8h-4.400V6z', 'M6.500 14h11v2.200h-11z', 'M11 16.200h2V21a1 1 0 0 1-2 0z'],
  },
};

export const TRAYS = { team: TeamTray, ballot: BallotTray, cards: CardTray, aim: AimTray };

export const quests = {
  tell: tellQuests,
  isAnnounced,
  sound: questSound,
  spoken: questLine,
  reveals: REVEALS,

  status: questStatus,
  awaited: (view, moment) => awaitedOn(view, moment?.is === 'QuestResolved'),
  hasActed,
  marks: (_, view, seat, moment) => questMarks(view, seat, moment),
  team: (view) => view.proposal?.team ?? [],
  trays: traysOf<QuestTask>(TRAYS),

  ownChoices: ownQuestChoices,
  secrets: (live, view) => questSecrets(live, view),
  Track: QuestTrack,
  Middle: QuestMiddle,
  history: { Panel: QuestHistory, title: 'table.history', short: 'table.history_short' },

  beginning: (live, view) =>
    view.leader === null ? [] : [t('quests:label.leads_first', { name: live.name(view.leader) })],
  sides: SIDES,
  sideOf: (role) => (isEvil(role) ? 'Evil' : 'Good'),
  fates: (view, seat) =>
    view.assassin === seat && view.roles[seat] !== 'Assassin' ? [t('quests:label.held_dagger')] : [],
  Played: CardsPlayed,
  highlights: questHighlights,
} satisfies OwnUi<QuestView>;

/** Claims that make sense at court; the cards are each game's own. */
export const PHRASES = {
  long: ['i_am', 'i_saw', 'i_examined', 'i_played', 'i_trust', 'i_suspect', 'take', 'why'],
  quick: ['approve_this', 'reject_this', 'take_me', 'wait', 'go_on', 'hello', 'well_played'],
} as const;
