/** The roles that were handed out, each to its seat. */
import type { Event, Happened } from '../../protocol/messages';
import type { DealtRole } from '../game';

export const handedOut = (events: readonly Event[]): DealtRole[] =>
  events
    .filter((event): event is Happened<'RoleDealt'> => event.is === 'RoleDealt')
    .map(({ seat, role }) => ({ seat, role }));
