/** What only this seat of a quest game knows, line by line. */
import { gameText, list, t, term } from '../../text';
import type { Table } from '../game';
import { underWay } from './own_choices';
import type { QuestView } from './view';

/** `learned`: what the seat was shown since the deal. */
export function questSecrets(live: Table, view: QuestView, learned: string[] = []): string[] {
  const dealt = view.dealt[live.seat];
  const known = dealt?.roles_in_game ?? [];
  return [
    ...(dealt?.sees ?? []).map(({ seen_as, seats }) => glimpse(live, seen_as, seats)),
    ...(dealt?.notices ?? []).map((notice) => gameText(view.setup.game, `notice.${notice}`) ?? notice),
    ...(dealt?.is_assassin ? [t('quests:hint.dagger')] : []),
    ...learned,
    ...underWay(live, view),
    ...(known.length
      ? [t('quests:secret.roles_in_game', { roles: list(known.map((role) => term(role))) })]
      : []),
  ];
}

function glimpse(live: Table, seen_as: string, seats: readonly number[]): string {
  const what = term(seen_as);
  if (!seats.length) return t('quests:hint.sees_nobody', { what });
  return t('quests:secret.glimpse', { seats: list(seats.map((seat) => live.name(seat))), seen_as: what });
}
