/** Who has won, in a few words; a game that was only dealt may have no result. */
import { t, term } from '../text';

export function verdictOf(
  game: string,
  winner: string | null | undefined,
  reason: string | undefined,
): string {
  if (winner) return t('replay.victory', { side: term(winner, game) });
  return reason === 'untold' ? t('replay.untold') : t('replay.no_victory');
}
