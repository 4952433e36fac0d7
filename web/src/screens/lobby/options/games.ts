/** The games that the server offers, fetched once. */
import { games, type GameList } from '../../../protocol/api';

let asked: Promise<GameList> | null = null;

export function availableGames(): Promise<GameList> {
  asked ??= games().catch((thrown: unknown) => {
    asked = null; // the next call asks again
    throw thrown;
  });
  return asked;
}
