/** Everything that people read, in the language of the page. */
export { GAMES, LANGUAGES, type Language } from './generated';
export { gameName, gameText, language, list, reasonOf, t, term, type Key } from './language.svelte';
