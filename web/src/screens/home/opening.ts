/** Opens a table: online, in person, or against bots and started at once. */
import { askRoom, openRoom, type OpenRoom } from '../../protocol/api';
import { newToken } from '../../protocol/ids';
import { storeToken } from '../../protocol/storage';
import { chosen, type InPerson } from '../lobby/settings/in_person';
import { rulesAgainstBots, rulesOfNewTable } from './choice';

/** People look at their cards before the game begins. */
const PATIENT = { look_seconds: 15 };

export async function openTable(name: string, game: string, seats: number): Promise<string> {
  return (await opened({ name, game, seats, options: rulesOfNewTable(game), settings: PATIENT })).room;
}

/** A table for people in one room, whose phones do as much as this degree says. */
export const openInOneRoom =
  (degree: InPerson) =>
  async (name: string, game: string, seats: number): Promise<string> => {
    const settings = { ...PATIENT, ...chosen(degree) };
    return (await opened({ name, game, seats, options: rulesOfNewTable(game), settings })).room;
  };

export async function playAgainstBots(name: string, game: string, seats: number): Promise<string> {
  const { room, token } = await opened({
    name,
    game,
    seats,
    options: rulesAgainstBots(game),
    settings: { ...PATIENT, bot_pace: 'quick' },
  });
  await askRoom(room, token, { is: 'SeatBot' });
  await askRoom(room, token, { is: 'SayReady', is_ready: true });
  await askRoom(room, token, { is: 'Start' });
  return room;
}

type Wanted = Omit<OpenRoom, 'token'>;

let unanswered: { wanted: string; token: string } | null = null;

/** A retry after a lost answer gets the table that was opened. */
async function opened(body: Wanted) {
  const wanted = JSON.stringify(body);
  if (unanswered?.wanted !== wanted) unanswered = { wanted, token: newToken() };
  const membership = await openRoom({ ...body, token: unanswered.token });
  unanswered = null;
  storeToken(membership.room, membership.token);
  return membership;
}
