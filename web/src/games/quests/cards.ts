/** The cards that were played in a finished game. */
import type { Event } from '../../protocol/messages';

export type PlayedCard = { seat: number; quest: number; card: string };

/** Every quest card with its quest; a later choice replaces an earlier one. */
export function cardsIn(events: readonly Event[]): PlayedCard[] {
  const all: PlayedCard[] = [];
  let laid = new Map<number, string>();
  for (const event of events) {
    if (event.is === 'CardChosen') laid.set(event.seat, event.card);
    if (event.is !== 'QuestResolved') continue;
    for (const [seat, card] of laid) all.push({ seat, quest: event.quest, card });
    laid = new Map();
  }
  return all;
}
