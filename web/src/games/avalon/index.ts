/** Avalon: the Lady of the Lake, Excalibur, and the last shot at Merlin. */
import type { Event } from '../../protocol/messages';
import type { Sound } from '../../sound.svelte';
import { gameText, t, term } from '../../text';
import type { Naming } from '../../text/sentences';
import type { Mark, OwnUi, Table } from '../game';
import { rolesDealt } from '../parts/roles_dealt';
import { PHRASES, quests } from '../quests';
import { questHighlights } from '../quests/highlights';
import { questMarks } from '../quests/marks';
import { questSound, REVEALS, STRIKE } from '../quests/reveals';
import { questSecrets } from '../quests/secrets';
import { questStatus } from '../quests/status';
import { questTask } from '../quests/task';
import { currentQuest, type Card } from '../quests/view';
import { dealing, roleVariant } from './deal';
import { rules } from './rules';
import type { AvalonView } from './view';

const CARDS: readonly Card[] = ['Success', 'Fail'];

function status(live: Table, view: AvalonView): string {
  const named = (seat: number | null | undefined) =>
    seat === null || seat === undefined ? '' : live.name(seat);
  switch (view.phase.name) {
    case 'propose':
      return proposing(live, view);
    case 'lady':
      return view.lady === live.seat
        ? t('avalon:status.lady_you')
        : t('avalon:status.lady', { lady: named(view.lady) });
    case 'excalibur': {
      const holder = view.proposal?.excalibur;
      return holder === live.seat
        ? t('avalon:status.excalibur_you')
        : t('avalon:status.excalibur', { name: named(holder) });
    }
    case 'assassination':
      return view.assassin === live.seat
        ? t('avalon:status.assassination_you')
        : t('avalon:status.assassination', { name: named(view.assassin) });
    default:
      return questStatus(live, view);
  }
}

function proposing(live: Table, view: AvalonView): string {
  if (currentQuest({ ...view, proposal: null }) !== null) return questStatus(live, view);
  return view.leader === live.seat
    ? t('avalon:status.propose_any_you')
    : t('avalon:status.propose_any', { leader: live.name(view.leader) });
}

function ownMarks(view: AvalonView, seat: number): Mark[] {
  const marks: Mark[] = [];
  if (view.proposal?.excalibur === seat)
    marks.push({ corner: 'right', icon: 'sword', word: t('avalon:mark.excalibur'), tone: 'pale' });
  if (view.lady === seat)
    marks.push({ corner: 'right', icon: 'drop', word: t('avalon:mark.lady'), tone: 'good' });
  return marks;
}

/** What the Lady and Excalibur have shown. */
const learned = (live: Table, view: AvalonView): string[] => [
  ...view.loyalties
    .filter(([holder]) => holder === live.seat)
    .map(([, target, side]) => t('avalon:hint.lady_showed', { name: live.name(target), side: term(side) })),
  ...view.excalibur_shown.map(([quest, target, card]) =>
    t('avalon:hint.excalibur_showed', { quest, name: live.name(target), card: term(card) }),
  ),
];

function sound(event: Event): Sound | null {
  return event.is === 'LoyaltyExamined' || event.is === 'ExcaliburUsed' ? 'bell' : questSound(event);
}

/** The shot at Merlin comes before all others. */
function shots(events: readonly Event[], end: AvalonView, name: Naming): string[] {
  return events.flatMap((event) => {
    if (event.is !== 'MerlinShot' || event.target === null) return [];
    const role = end.roles[event.target] ?? '';
    const [assassin, target] = [name(event.assassin), name(event.target)];
    if (role === 'Merlin') return [t('avalon:highlight.merlin_found', { assassin, target })];
    return [t('avalon:highlight.merlin_missed', { assassin, target, role: term(role) })];
  });
}

export const avalon: OwnUi<AvalonView> = {
  ...quests,
  sound,
  reveals: { ...REVEALS, MerlinShot: STRIKE },
  status,
  marks: (_, view, seat, moment) => questMarks(view, seat, moment, ownMarks(view, seat)),
  task: (asked, view, seat, choice) =>
    questTask(asked, view, seat, choice.aim, { cards: CARDS, final: ['ShootMerlin'] }),
  secrets: (live, view) => questSecrets(live, view, learned(live, view)),
  beforeNight: (view) => ({
    ...view,
    dealt: Object.fromEntries(
      Object.entries(view.dealt).map(([seat, card]) => [seat, { ...card, sees: [] }]),
    ),
  }),
  roleVariant,
  smallPrint: rolesDealt,
  phrases: { ...PHRASES, cards: CARDS },
  unsaid: (view) =>
    view.setup.identity_claims === 'forbidden'
      ? { why: gameText('avalon', 'notice.no_claims') ?? '', phrases: ['i_am', 'i_saw'] } // A10
      : null,
  rules,
  beginning: (live, view) => [
    ...quests.beginning(live, view),
    ...(view.lady === null ? [] : [t('avalon:label.lady_first', { name: live.name(view.lady) })]),
  ],
  highlights: (events, end, name) => [...shots(events, end, name), ...questHighlights(events, end, name)],
  dealing,
};
