/** What a seat knows and nobody else is to see, line by line. Shown while the role is held, and at no other time. */
import type { Live } from '../../table/live.svelte';
import {
  isAvalon,
  isQuests,
  isSaviom,
  type QuestView,
  type SaviomView,
  type View,
} from '../../wire/messages';
import { list } from '../../words/speak.svelte';
import { term } from '../../words/terms';
import { t } from './words';

type Knower = Pick<Live, 'name' | 'seat'>;

export function secretsOf(live: Knower, view: View): string[] {
  return isSaviom(view) ? inTown(live, view) : atCourt(live, view);
}

function atCourt(live: Knower, view: QuestView): string[] {
  const dealt = view.dealt[live.seat];
  const lines: string[] = [];
  for (const { seen_as, seats } of dealt?.sees ?? []) {
    const names = list(seats.map((seat) => live.name(seat)));
    lines.push(
      seats.length
        ? t('role_sees', { names, what: term(seen_as) })
        : t('role_sees_nobody', { what: term(seen_as) }),
    );
  }
  for (const notice of dealt?.notices ?? []) {
    if (notice === 'colgrevance_is_hidden') lines.push(t('colgrevance_is_hidden'));
    if (notice === 'titania_is_among_them') lines.push(t('titania_is_among_them'));
  }
  if (dealt?.is_assassin) lines.push(t('role_assassin'));
  return [...lines, ...learned(live, view), ...underWay(live, view)];
}

/** What the Lady and Excalibur have shown. */
function learned(live: Knower, view: QuestView): string[] {
  if (!isAvalon(view)) return [];
  return [
    ...view.loyalties
      .filter(([holder]) => holder === live.seat)
      .map(([, target, side]) => t('lady_showed', { name: live.name(target), side: term(side) })),
    ...view.excalibur_shown.map(([quest, target, card]) =>
      t('excalibur_showed', { quest, name: live.name(target), card: term(card) }),
    ),
  ];
}

/** What we have just marked, face down on our own screen. */
function underWay(live: Knower, view: QuestView): string[] {
  const ballot = view.phase.name === 'vote' ? view.ballots[live.seat] : undefined;
  const card =
    view.phase.name === 'quest' || view.phase.name === 'excalibur' ? view.cards[live.seat] : undefined;
  return [
    ...(ballot === undefined ? [] : [t(ballot ? 'you_approve' : 'you_reject')]),
    ...(card === undefined ? [] : [t('you_played', { card: term(card) })]),
  ];
}

const NIGHT = {
  Wolf: 'night_wolf',
  Protector: 'night_protector',
  Seer: 'night_seer',
  Citizen: 'night_citizen',
} as const;

function inTown(live: Knower, view: SaviomView): string[] {
  const lines: string[] = [];
  const role = view.roles[live.seat];
  const pack = view.pack.filter((seat) => seat !== live.seat);
  if (pack.length) lines.push(t('pack', { names: list(pack.map((seat) => live.name(seat))) }));
  if (role && isQuests(view) === false) lines.push(t(NIGHT[role]));
  for (const [, target, isWolf] of view.visions)
    lines.push(t(isWolf ? 'vision_wolf' : 'vision_not_wolf', { name: live.name(target) }));
  return [...lines, ...tonight(live, view)];
}

function tonight(live: Knower, view: SaviomView): string[] {
  const chosen = (
    what: 'you_hunt' | 'you_protect' | 'you_inspect' | 'you_suspect',
    from: Record<string, number>,
  ) => {
    const target = from[live.seat];
    return target === undefined ? [] : [t(what, { name: live.name(target) })];
  };
  const verdict = view.verdicts[live.seat];
  return [
    ...chosen('you_hunt', view.hunts),
    ...Object.entries(view.hunts)
      .filter(([seat]) => Number(seat) !== live.seat)
      .map(([seat, target]) => t('wolf_hunts', { wolf: live.name(Number(seat)), name: live.name(target) })),
    ...chosen('you_protect', view.protections),
    ...chosen('you_inspect', view.inspections),
    ...chosen('you_suspect', view.suspicions),
    ...(verdict === undefined ? [] : [t(verdict ? 'you_eliminate' : 'you_spare')]),
    ...(view.leaving.includes(live.seat) ? [t('you_leave')] : []),
  ];
}
