/** What only this seat in town knows, line by line. */
import { gameText, list, t } from '../../text';
import { wordKey } from '../../text/messages';
import type { Table } from '../game';
import { ownTownChoices } from './own_choices';
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

function tonight(live: Table, view: SaviomView): string[] {
  return [
    ...ownTownChoices(live, view).map(({ text }) => text),
    ...Object.entries(view.hunts)
      .filter(([seat]) => Number(seat) !== live.seat)
      .map(([seat, target]) =>
        t('saviom:event.hunt_marked', { seat: live.name(Number(seat)), target: live.name(target) }),
      ),
    ...(view.leaving.includes(live.seat) ? [t('saviom:hint.you_leave')] : []),
  ];
}
