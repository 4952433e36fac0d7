/** Opening a table: for friends, for people in one room, or with bots on every other seat and the cards dealt at once. */
import { askRoom, openRoom, type OpenRoom } from '../../wire/api';
import { newToken } from '../../wire/ids';
import { keepToken } from '../../wire/keep';
import { AGAINST_BOTS, type GameName } from './choice';

export async function openTable(name: string, game: GameName, seats: number): Promise<string> {
  return (await opened({ name, game, seats })).room;
}

/** A table at which phones show roles, and people do the rest. */
export async function openDeal(name: string, game: GameName, seats: number): Promise<string> {
  return (await opened({ name, game, seats, settings: { is_deal_only: true } })).room;
}

export async function playAgainstBots(name: string, game: GameName, seats: number): Promise<string> {
  const { room, token } = await opened({ name, game, seats, options: { ...AGAINST_BOTS[game].options } });
  await askRoom(room, token, { is: 'SeatBot' });
  await askRoom(room, token, { is: 'SayReady', is_ready: true });
  await askRoom(room, token, { is: 'Start' });
  return room;
}

type Wanted = Omit<OpenRoom, 'token'>;

let unanswered: { wanted: string; token: string } | null = null;

/** Whoever asks again for the same table, because the answer was lost, gets the one that was opened. */
async function opened(body: Wanted) {
  const wanted = JSON.stringify(body);
  if (unanswered?.wanted !== wanted) unanswered = { wanted, token: newToken() };
  const membership = await openRoom({ ...body, token: unanswered.token });
  unanswered = null;
  keepToken(membership.room, membership.token);
  return membership;
}
