/** The table of a game that the app was built without; and the default of every other game. */
import type { GameUi } from '../game';
import { traysOf } from '../game';
import { plainTask, type PlainTask } from './options';
import PlainHistory from './PlainHistory.svelte';
import PlainMiddle from './PlainMiddle.svelte';
import PlainTray from './PlainTray.svelte';
import { plainStatus, privateSentences, tellPlainly } from './sentences';

export const plain: GameUi = {
  tell: tellPlainly,
  isAnnounced: () => true,
  sound: () => null,
  spoken: () => null,
  isDark: () => false,
  reveals: {},

  status: plainStatus,
  notice: () => '',
  awaited: (view) => (view.outcome ? [] : view.phase.awaited),
  hasActed: (live) => !live.asked?.options.length,
  marks: () => [],
  note: () => '',
  isGone: () => false,
  team: () => [],

  task: (asked, view, _, choice) => plainTask(view, asked?.options ?? [], choice.aim),
  trays: traysOf<PlainTask>({ plain: PlainTray }),

  ownChoices: () => [],
  secrets: (live, view) => privateSentences(live, view.setup.game),
  roleVariant: () => '',
  smallPrint: () => '',
  channels: (view, seat) => {
    const heard = Object.entries(view.floors)
      .filter(([, { hearers }]) => hearers === 'everyone' || hearers.includes(seat))
      .map(([channel]) => channel);
    return [...new Set(['table', ...heard])].filter((channel) => heard.includes(channel));
  },
  phrases: {
    long: ['i_am', 'i_saw', 'i_trust', 'i_suspect', 'why'],
    quick: ['hello', 'wait', 'go_on', 'well_played'],
    cards: [],
  },

  palette: () => '',
  Middle: PlainMiddle,
  history: { Panel: PlainHistory, title: 'table.story', short: 'table.story' },

  rules: { presets: [], matters: () => true, ranges: {}, roles: {} },
  beginning: () => [],

  sides: {},
  sideOf: () => '',
  fates: () => [],
  highlights: () => [],
};
