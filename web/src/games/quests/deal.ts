/** What the deals of the quest games have in common: roles, a leader, and who is the Assassin. */
import type { Event, Happened } from '../../protocol/messages';
import type { Deal, Dealing } from '../game';
import { handedOut } from '../parts/handed_out';

export type QuestDeal = Deal & { leader: number; assassin: number | null };

const dealtIn = (events: readonly Event[]) =>
  events.filter((event) => event.is === 'RoleDealt') as Happened<'RoleDealt'>[];

function agrees({ leader, assassin }: QuestDeal, events: readonly Event[]): boolean {
  const first = events.find((event): event is Happened<'LeaderNamed'> => event.is === 'LeaderNamed');
  return (
    first?.seat === leader &&
    dealtIn(events).every((card) => !('is_assassin' in card) || card.is_assassin === (card.seat === assassin))
  );
}

export const questDealing = (repeat: Dealing<QuestDeal>['repeat']): Dealing<QuestDeal> => ({
  repeat,
  handedOut,
  agrees,
});

export const seatsWhere = (roles: readonly string[], is: (role: string) => boolean): number[] =>
  roles.flatMap((role, seat) => (is(role) ? [seat] : []));
