/** What a room says about this member: whether a bot plays for them, and whether they moderate. */
import type { Room } from '../../protocol/messages';

export const isPlayedFor = ({ stage, seats }: Room, me: number | null): boolean =>
  stage === 'playing' && me !== null && seats.some(({ member, stand_in }) => member === me && stand_in);

/** Who holds no seat and was host at the deal; the server decides what they may see. */
export const isModerating = ({ host, seats, notices }: Room, me: number | null): boolean =>
  host === me &&
  !seats.some(({ member }) => member === me) &&
  notices.some(({ code }) => code === 'moderator');
