/** This browser's part in a fair deal: stores the commitment, and contributes randomness when the table asks for it. */
import type { Live } from '../table/live.svelte';
import { hexOf } from './bytes';
import { noteCommitment, noteEntropy, openingOf } from './opening';

export function contributeToDeal(live: Live): void {
  const { room, view, seat } = live;
  if (!room || !view || view.outcome) return; // a commitment after the end proves nothing
  noteCommitment(room.code, room.number, view.commitment);
  const isPlayed = seat >= 0 && !room.seats[seat]?.stand_in; // an act would take the seat back from the bot
  const waits = (room.settings.contribution_seconds ?? 0) > 0 && view.phase.number === 0 && isPlayed;
  if (!waits || openingOf(room.code, room.number)?.entropy) return;
  const entropy = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  noteEntropy(room.code, room.number, entropy);
  void live.act({ is: 'Contribute', entropy }).catch(() => {}); // too late: the deal goes on without it
}
