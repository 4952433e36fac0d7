/** What only this seat knows, line by line: shown only while the role button is held. */
import type { Live } from '../../table/live.svelte';
import {
  isAvalon,
  isQuests,
  isSaviom,
  type QuestView,
  type SaviomView,
  type View,
} from '../../protocol/messages';
import { gameText, list, t, term } from '../../text';
import { privateSentences } from './plain/told';
import { wordKey } from '../../text/messages';

type Knower = Pick<Live, 'name' | 'seat' | 'heard'>;

export function secretsOf(live: Knower, view: View): string[] {
  if (isSaviom(view)) return inTown(live, view);
  return isQuests(view) ? atCourt(live, view) : privateSentences(live, view.setup.game);
}

function atCourt(live: Knower, view: QuestView): string[] {
  const dealt = view.dealt[live.seat];
  const lines: string[] = [];
  for (const { seen_as, seats } of dealt?.sees ?? []) {
    const names = list(seats.map((seat) => live.name(seat)));
    lines.push(
      seats.length
        ? t('quests:secret.glimpse', { seats: names, seen_as: term(seen_as) })
        : t('quests:hint.sees_nobody', { what: term(seen_as) }),
    );
  }
  for (const notice of dealt?.notices ?? []) {
    lines.push(gameText(view.setup.game, `notice.${notice}`) ?? notice);
  }
  if (dealt?.is_assassin) lines.push(t('quests:hint.dagger'));
  return [...lines, ...learned(live, view), ...underWay(live, view)];
}

/** What the Lady and Excalibur have shown. */
function learned(live: Knower, view: QuestView): string[] {
  if (!isAvalon(view)) return [];
  return [
    ...view.loyalties
      .filter(([holder]) => holder === live.seat)
      .map(([, target, side]) => t('avalon:hint.lady_showed', { name: live.name(target), side: term(side) })),
    ...view.excalibur_shown.map(([quest, target, card]) =>
      t('avalon:hint.excalibur_showed', { quest, name: live.name(target), card: term(card) }),
    ),
  ];
}

/** The player's own vote or card before it is revealed. */
function underWay(live: Knower, view: QuestView): string[] {
  const ballot = view.phase.name === 'vote' ? view.ballots[live.seat] : undefined;
  const card =
    view.phase.name === 'quest' || view.phase.name === 'excalibur' ? view.cards[live.seat] : undefined;
  return [
    ...(ballot === undefined ? [] : [t(ballot ? 'quests:hint.you_approve' : 'quests:hint.you_reject')]),
    ...(card === undefined ? [] : [t('quests:hint.you_played', { card: term(card) })]),
  ];
}

function inTown(live: Knower, view: SaviomView): string[] {
  const lines: string[] = [];
  const role = view.roles[live.seat];
  const pack = view.pack.filter((seat) => seat !== live.seat);
  if (pack.length)
    lines.push(t('saviom:secret.pack_met', { wolves: list(pack.map((seat) => live.name(seat))) }));
  const night = role && gameText(view.setup.game, `hint.night_${wordKey(role)}`);
  if (night) lines.push(night);
  for (const [, target, isWolf] of view.visions)
    lines.push(
      t(isWolf ? 'saviom:secret.inspection_shown_is_wolf' : 'saviom:secret.inspection_shown', {
        target: live.name(target),
      }),
    );
  return [...lines, ...tonight(live, view)];
}

function tonight(live: Knower, view: SaviomView): string[] {
  const chosen = (
    what: 'you_hunt' | 'you_protect' | 'you_inspect' | 'you_suspect',
    from: Record<string, number>,
  ) => {
    const target = from[live.seat];
    return target === undefined ? [] : [t(`saviom:hint.${what}`, { name: live.name(target) })];
  };
  const verdict = view.verdicts[live.seat];
  return [
    ...chosen('you_hunt', view.hunts),
    ...Object.entries(view.hunts)
      .filter(([seat]) => Number(seat) !== live.seat)
      .map(([seat, target]) =>
        t('saviom:event.hunt_marked', { seat: live.name(Number(seat)), target: live.name(target) }),
      ),
    ...chosen('you_protect', view.protections),
    ...chosen('you_inspect', view.inspections),
    ...chosen('you_suspect', view.suspicions),
    ...(verdict === undefined ? [] : [t(verdict ? 'saviom:hint.you_eliminate' : 'saviom:hint.you_spare')]),
    ...(view.leaving.includes(live.seat) ? [t('saviom:hint.you_leave')] : []),
  ];
}
