/** The events of Saviom as sentences and sounds, and those that are shown in the middle of the table. */
import type { Event, Happened } from '../../protocol/messages';
import type { Sound } from '../../sound.svelte';
import { t } from '../../text';
import { sentence, telling } from '../../text/events';
import type { Naming } from '../../text/sentences';

/** Events of which a later one says what came. */
const UNTOLD: Event['is'][] = [
  'LockedIn',
  'VerdictMarked',
  'HuntWithdrawn',
  'InspectionChosen',
  'SuspectNamed',
  'SurrenderPledged',
];

export const tellTown = telling((game, event, name) => {
  switch (event.is) {
    case 'DayEnded':
      return t('saviom:label.night_falls');
    case 'VerdictsCounted':
      return verdict(event, name);
    case 'PlayerDied':
      return event.cause === 'surrender' ? sentence(game, event, name) : ''; // other deaths are told with their cause
    default:
      return UNTOLD.includes(event.is) ? '' : sentence(game, event, name);
  }
});

function verdict(
  { accused, eliminated, eliminate, save }: Happened<'VerdictsCounted'>,
  name: Naming,
): string {
  const counted = { name: name(accused), yes: eliminate.length, no: save.length };
  return t(eliminated ? 'saviom:label.verdict_eliminated' : 'saviom:label.verdict_spared', counted);
}

export function townSound(event: Event): Sound | null {
  switch (event.is) {
    case 'AccusationMade':
      return 'knock';
    case 'PutOnTrial':
      return 'bell';
    case 'VerdictsCounted':
      return event.eliminated ? 'death' : 'yes';
    case 'DayEnded':
      return 'night';
    case 'NightEnded':
      return event.killed === null ? 'dawn' : 'death';
    default:
      return null;
  }
}
