/** Which side a role is on. */
import { EVIL } from '../fair/deals';
import { isQuests, isSaviom, rolesOf, type Room, type View } from '../protocol/messages';

/** In a game of another package, the side that is dealt such a role; '' where that is not known. */
export function sideOf(view: View, seat: number, casting: Room['casting'] = []): string {
  const role = String(rolesOf(view)[seat] ?? '');
  if (isSaviom(view)) return role === 'Wolf' ? 'Wolves' : 'Citizens';
  if (isQuests(view)) return EVIL.includes(role) ? 'Evil' : 'Good';
  return casting.find(({ roles }) => roles.includes(role))?.side ?? '';
}

export const isDark = (side: string | null) => side === 'Evil' || side === 'Wolves';
