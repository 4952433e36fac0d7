/** Which roles are dealt, where every player knows it: `2 × Wolf`, each role once. */
import { list, t, term } from '../../text';
import type { Table } from '../game';

export function rolesDealt({ room }: Table): string {
  const roles = room?.roles ?? [];
  const counted = [...new Set(roles)].map((role) => {
    const count = roles.filter((other) => other === role).length;
    return count > 1 ? t('list.times', { count, item: term(role) }) : term(role);
  });
  return roles.length ? t('table.roles_dealt', { roles: list(counted) }) : '';
}
