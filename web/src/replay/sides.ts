/** Which side a role is on. */
import { EVIL } from '../fair/deals';
import type { View } from '../protocol/messages';

export type Side = 'Good' | 'Evil' | 'Citizens' | 'Wolves';

export function sideOf(view: View, seat: number): Side {
  const role = String(view.roles[seat] ?? '');
  if (view.setup.game === 'saviom') return role === 'Wolf' ? 'Wolves' : 'Citizens';
  return EVIL.includes(role) ? 'Evil' : 'Good';
}

export const isDark = (side: string | null) => side === 'Evil' || side === 'Wolves';
