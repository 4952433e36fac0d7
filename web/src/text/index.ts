/** Everything that people read, in the language of the page. */
export { GAMES, LANGUAGES, type Language } from './generated';
export {
  gameName,
  gameText,
  inGame,
  installedGame,
  installedGames,
  language,
  list,
  reasonOf,
  t,
  term,
  type PlainKey,
} from './language.svelte';
export { plainName } from './messages';
