/** Opening a table: for friends, or with bots on every other seat and the cards dealt at once. */
import { askRoom, openRoom } from '../../wire/api';
import { keepToken } from '../../wire/keep';

const SEATS = 5;

export async function openTable(name: string): Promise<string> {
  return (await opened(name)).room;
}

export async function playAgainstBots(name: string): Promise<string> {
  const { room, token } = await opened(name);
  for (let seat = 1; seat < SEATS; seat++) await askRoom(room, token, { is: 'SeatBot', seat });
  await askRoom(room, token, { is: 'SayReady', is_ready: true });
  await askRoom(room, token, { is: 'Start' });
  return room;
}

async function opened(name: string) {
  const membership = await openRoom({ name, game: 'avalon', seats: SEATS });
  keepToken(membership.room, membership.token);
  return membership;
}
