/** The avatar that this browser's player takes to every table. */
import { COLOURS, SHAPES } from '../parts/avatars';
import { store, stored } from './storage';

const any = <One>(list: readonly One[]) => list[Math.floor(Math.random() * list.length)];

/** The one that was chosen; before that, one by chance, which stays. */
export function ownAvatar(): string {
  const found = stored('avatar');
  if (found) return found;
  const avatar = `${any(SHAPES)}-${any(COLOURS)}`;
  storeAvatar(avatar);
  return avatar;
}

export const storeAvatar = (avatar: string): void => store('avatar', avatar);
