/** Which side a role is on, and how it is drawn. */
import { uiOf } from '../games';
import { rolesOf, type Room, type View } from '../protocol/messages';

/** In a game of another package, the side that is dealt such a role; '' where that is not known. */
export function sideOf(view: View, seat: number, casting: Room['casting'] = []): string {
  const role = String(rolesOf(view)[seat] ?? '');
  const own = uiOf(view.setup.game).sideOf(role);
  return own || (casting.find(({ roles }) => roles.includes(role))?.side ?? '');
}

export const isDark = (game: string, side: string | null): boolean =>
  side !== null && uiOf(game).sides[side]?.isDark === true;
