/** What this seat in town did: its verdict and its choice of the night. An accusation is public, and in the status line. */
import { t } from '../../text';
import type { OwnChoice, Table } from '../game';
import type { SaviomView } from './view';

type Choice = 'you_hunt' | 'you_protect' | 'you_inspect' | 'you_suspect';

export function ownTownChoices(live: Table, view: SaviomView): OwnChoice[] {
  const { seat } = live;
  const chosen = (what: Choice, from: Record<string, number>) => {
    const target = from[seat];
    return target === undefined ? [] : [t(`saviom:hint.${what}`, { name: live.name(target) })];
  };
  const verdict = view.verdicts[seat];
  return [
    ...chosen('you_hunt', view.hunts),
    ...chosen('you_protect', view.protections),
    ...chosen('you_inspect', view.inspections),
    ...chosen('you_suspect', view.suspicions),
    ...(verdict === undefined ? [] : [t(verdict ? 'saviom:hint.you_eliminate' : 'saviom:hint.you_spare')]),
  ].map((text) => ({ text, isSecret: true }));
}
