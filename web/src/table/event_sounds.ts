/** The sound of a public event. Private events are silent: a neighbour could hear them. */
import type { Sound } from '../sound.svelte';
import type { Event } from '../protocol/messages';

export function soundOf(event: Event): Sound | null {
  if (event.audience !== 'everyone') return null;
  switch (event.is) {
    case 'TeamProposed':
    case 'AccusationMade':
      return 'knock';
    case 'VotesCounted':
      return event.approved ? 'yes' : 'no';
    case 'QuestResolved':
      return event.succeeded ? 'triumph' : 'doom';
    case 'VerdictsCounted':
      return event.eliminated ? 'doom' : 'yes';
    case 'PutOnTrial':
    case 'AgravaineDeclared':
    case 'ArthurDeclared':
    case 'SidesRevealed':
    case 'LoyaltyExamined':
    case 'ExcaliburUsed':
      return 'bell';
    case 'DayEnded':
      return 'night';
    case 'NightEnded':
      return event.killed === null ? 'dawn' : 'doom';
    case 'GameEnded':
      return 'over';
    default:
      return null;
  }
}
