/** Opening a table: for friends, for people in one room, or with bots on every other seat and the cards dealt at once. */
import { askRoom, openRoom, type OpenRoom } from '../../wire/api';
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
  const others = Array.from({ length: seats - 1 }, (_, before) => before + 1);
  await Promise.all(others.map((seat) => askRoom(room, token, { is: 'SeatBot', seat })));
  await askRoom(room, token, { is: 'SayReady', is_ready: true });
  await askRoom(room, token, { is: 'Start' });
  return room;
}

async function opened(body: OpenRoom) {
  const membership = await openRoom(body);
  keepToken(membership.room, membership.token);
  return membership;
}
