/** What happened, each event as a sentence for a listener who may know of it: what every game tells in the same way. */
import type { Event, Happened } from '../protocol/messages';
import { gameText, reasonOf, t, term } from './language.svelte';
import { sentenceOf, type Naming } from './sentences';

export type Tell = (game: string, event: Event, name: Naming) => string;

/** Events without a sentence in any game: they only move it on, or a later event says what came of them. */
const UNTOLD = 'SeedSealed SecretsRevealed FloorGiven CountdownAsked Remarked'.split(' ');

/** How a game tells events, from how it tells its own. */
export const telling =
  (own: Tell): Tell =>
  (game, event, name) => {
    if (UNTOLD.includes(event.is)) return '';
    switch (event.is) {
      case 'TableOpened':
        return t('replay.game_start');
      case 'Said':
        return t('talk.said', { name: name(event.seat), text: event.text });
      case 'GameEnded':
        return ended(game, event);
      default:
        return own(game, event, name);
    }
  };

/** The sentence of the catalogue, or ''. */
export const sentence = (
  game: string,
  event: Event,
  name: Naming,
  more: Record<string, string> = {},
): string => sentenceOf(game, 'event', event, name, more) ?? '';

/** Whether a whole room may hear it, and does not read it anyway. */
export const isForEveryone = (event: Event): boolean =>
  event.audience === 'everyone' && event.is !== 'Said' && event.is !== 'TableOpened';

function ended(game: string, { outcome }: Happened<'GameEnded'>): string {
  const reason = reasonOf(game, outcome.reason);
  if (!outcome.winner)
    return gameText(game, `outcome.undecided_${outcome.reason}`) ?? t('outcome.undecided', { reason });
  const blanks = { winner: term(outcome.winner, game), reason };
  return (
    gameText(game, `outcome.won_${outcome.reason}`, blanks) ?? gameText(game, 'outcome.won', blanks) ?? reason
  );
}
