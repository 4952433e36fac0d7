/** Saviom: a town by day and by night. */
import { t } from '../../text';
import { traysOf, type OwnUi, type Side } from '../game';
import { plain } from '../plain';
import AimTray from '../parts/AimTray.svelte';
import BallotTray from '../parts/BallotTray.svelte';
import { rolesDealt } from '../parts/roles_dealt';
import { dealing } from './deal';
import { ownTownChoices } from './own_choices';
import { townHighlights } from './highlights';
import { accusationNote, townMarks } from './marks';
import NightTray from './NightTray.svelte';
import { rules } from './rules';
import { townSecrets } from './secrets';
import Sky from './Sky.svelte';
import { townLine } from './spoken';
import { hasActed, townNotice, townStatus } from './status';
import { SURRENDER, townTask, type TownTask } from './task';
import { tellTown, townSound } from './telling';
import TownHistory from './TownHistory.svelte';
import TownMiddle from './TownMiddle.svelte';
import type { SaviomView } from './view';

const PACK = 'wolves';

const SIDES: Record<string, Side> = {
  Wolves: {
    isDark: true,
    sigil: [
      'M6 3c2 4 2 9 .5 16-1.500-6-2-11-.5-16z',
      'M12 2c2.200 5 2.200 11 .5 20-2-8-2.200-14-.5-20z',
      'M18 3c2 4 2 9 .5 16-1.500-6-2-11-.5-16z',
    ],
  },
  Citizens: { isDark: false, sigil: ['M12 3 3 10.500h2.500V20h5v-5.500h3V20h5v-9.500H21z'] },
};

/** Every living player has the Wolves' tab, so that it gives away no role. */
function channels(view: SaviomView, seat: number): string[] {
  const heard = plain.channels(view, seat);
  const hasPack = heard.includes(PACK) || view.alive.includes(seat);
  const others = heard.filter((one) => one !== PACK && one !== 'table');
  return [...heard.filter((one) => one === 'table'), ...(hasPack ? [PACK] : []), ...others];
}

export const saviom: OwnUi<SaviomView> = {
  tell: tellTown,
  sound: townSound,
  spoken: townLine,
  isDark: (view) => view.phase.name === 'night' && !view.outcome,
  reveals: { VerdictsCounted: {}, NightEnded: {} },

  status: townStatus,
  notice: townNotice,
  awaited: () => [], // everyone acts at once, and who has acted is secret
  hasActed,
  marks: (_, view, seat, moment) => townMarks(view, seat, moment),
  note: accusationNote,
  isGone: (view, seat) => !view.alive.includes(seat),

  task: townTask,
  trays: traysOf<TownTask>({ ballot: BallotTray, aim: AimTray, night: NightTray }),
  parting: { kind: SURRENDER, label: 'saviom:move.surrender', question: 'saviom:hint.confirm_surrender' },

  ownChoices: ownTownChoices,
  beforeNight: (view) => ({ ...view, pack: [] }),
  secrets: townSecrets,
  smallPrint: rolesDealt,
  channels,
  secretChannel: PACK,
  phrases: {
    ...plain.phrases,
    long: ['i_am', 'i_examined', 'i_protected', 'i_trust', 'i_suspect', 'why'],
  },

  palette: (view) => (view.phase.name === 'night' ? 'night' : ''),
  Sky,
  Middle: TownMiddle,
  history: { Panel: TownHistory, title: 'table.history', short: 'table.history_short' },

  rules,
  beginning: (_, view) => [
    view.setup.begins_with === 'night' ? t('saviom:label.begins_night') : t('saviom:label.begins_day'),
  ],
  sides: SIDES,
  sideOf: (role) => (role === 'Wolf' ? 'Wolves' : 'Citizens'),
  fates: (view, seat) => [view.alive.includes(seat) ? t('saviom:label.survived') : t('saviom:label.died')],
  highlights: townHighlights,
  dealing,
};
