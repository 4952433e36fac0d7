/** Every trial and every death so far, from the events heard. */
import type { Happened, Heard } from '../../protocol/messages';
import { t } from '../../text';
import type { Table } from '../game';
import { historyOf, type Drawn, type History } from '../parts/history';

export type Trial = { day: number; accused: number; verdicts: Record<number, boolean>; eliminated: boolean };

export function trialsIn(heard: readonly Heard[]): History<Trial> {
  let day = 1;
  return historyOf<Trial>(heard, (trials, event) => {
    if (event.is === 'VerdictsCounted') trials.push(trialOf(event, day));
    if (event.is === 'NightEnded') day += 1;
  });
}

export const deathsIn = (heard: readonly Heard[]): Happened<'PlayerDied'>[] =>
  heard.flatMap(({ event }) => (event.is === 'PlayerDied' ? [event] : []));

function trialOf({ accused, eliminate, save, eliminated }: Happened<'VerdictsCounted'>, day: number): Trial {
  const verdicts = Object.fromEntries([
    ...eliminate.map((seat) => [seat, false] as const),
    ...save.map((seat) => [seat, true] as const),
  ]);
  return { day, accused, verdicts, eliminated };
}

/** A trial as a column of the grid. */
export function drawn(live: Table, { day, accused, verdicts, eliminated }: Trial): Drawn {
  return {
    head: t('saviom:label.trial_short', { day }),
    label: t('saviom:label.trial_of', { day, name: live.name(accused) }),
    first: accused,
    team: [],
    lit: [accused],
    marks: verdicts,
    ending: t(eliminated ? 'saviom:label.ending_eliminated' : 'saviom:label.ending_spared'),
  };
}
