/** The games and bots that the server offers, fetched once, with the text of games that the app was built without. */
import { games, type GameList } from './protocol/api';
import { gameText, language, plainName } from './text';

let asked: Promise<GameList> | null = null;

export function availableGames(): Promise<GameList> {
  asked ??= fetchGames().catch((thrown: unknown) => {
    asked = null; // the next call asks again
    throw thrown;
  });
  return asked;
}

async function fetchGames(): Promise<GameList> {
  const found = await games();
  await language.learn(found.games.map((game) => game.name));
  return found;
}

export const botName = (bot: string): string =>
  gameText('', `setting.takeover_bot.value.${bot}`) ?? plainName(bot);

/** How a bot plays, in one line; nothing of bots of other packages. */
export const botDoes = (bot: string): string => gameText('', `setting.takeover_bot.does.${bot}`) ?? '';
