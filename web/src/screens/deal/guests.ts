/** Players without a phone of their own: members whose tokens this browser keeps, and who look at its screen in turn. */
import type { Room } from '../../protocol/messages';
import { store, storedList } from '../../protocol/storage';

export type Guest = { member: number; token: string };
/** A player who looks at this phone; the owner of the phone has no token here. */
export type Looker = { seat: number; name: string; token: string | null };

export const guestsOf = (code: string): Guest[] => storedList<unknown>(`guests.${code}`).filter(isGuest);

const isGuest = (one: unknown): one is Guest =>
  typeof one === 'object' && one !== null && 'member' in one && 'token' in one;

export function keepGuest(code: string, guest: Guest): void {
  store(`guests.${code}`, JSON.stringify([...guestsOf(code), guest]));
}

/** Everyone who looks at this phone, in the order in which they sit; none where it has a single owner. */
export function lookersAt(room: Room, guests: readonly Guest[], me: number | null): Looker[] {
  const lookers = room.seats.flatMap(({ member }, seat): Looker[] => {
    const guest = guests.find((one) => one.member === member);
    const name = room.members.find((one) => one.member === member)?.name;
    if (name === undefined || (!guest && member !== me)) return [];
    return [{ seat, name, token: guest?.token ?? null }];
  });
  return lookers.some(({ token }) => token !== null) ? lookers : [];
}

export const nextLooker = (lookers: readonly Looker[], looked: readonly number[]): Looker | undefined =>
  lookers.find(({ seat }) => !looked.includes(seat));
