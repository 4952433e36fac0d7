/** What only this seat in town knows, line by line. */
import { gameText, list, t } from '../../text';
import { wordKey } from '../../text/messages';
import type { Table } from '../game';
import type { SaviomView } from './view';

/** `unread`: how much the pack has said that was not read yet. */
export function townSecrets(live: Table, view: SaviomView, unread: number): string[] {
  const role = view.roles[live.seat];
  const pack = view.pack.filter((seat) => seat !== live.seat);
  const night = role && gameText(view.setup.game, `hint.night_${wordKey(role)}`);
  return [
    ...(pack.length
      ? [t('saviom:secret.pack_met', { wolves: list(pack.map((seat) => live.name(seat))) })]
      : []),
    ...(night ? [night] : []),
    ...view.visions.map(([, target, isWolf]) =>
      t(isWolf ? 'saviom:secret.inspection_shown_is_wolf' : 'saviom:secret.inspection_shown', {
        target: live.name(target),
      }),
    ),
    ...tonight(live, view),
    ...(unread ? [t('saviom:hint.pack_unread', { count: unread })] : []),
  ];
}

type Choice = 'you_hunt' | 'you_protect' | 'you_inspect' | 'you_suspect';

function tonight(live: Table, view: SaviomView): string[] {
  const chosen = (what: Choice, from: Record<string, number>) => {
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
