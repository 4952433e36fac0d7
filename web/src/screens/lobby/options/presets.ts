/** The presets of a game that fit a table, and whether one of them is chosen. */
import { uiOf } from '../../../games';
import type { Chosen, Preset } from '../../../games/game';

export const presetsFor = (game: string, seats: number) =>
  uiOf(game).rules.presets.filter((preset) => preset.fits(seats));

/** Whether a table has exactly these house rules, whatever they are left at. */
export function isChosen(preset: Preset, chosen: Chosen, defaults: Chosen): boolean {
  const wanted: Chosen = { ...defaults, ...preset.options };
  return Object.keys(defaults).every((name) => JSON.stringify(wanted[name]) === JSON.stringify(chosen[name]));
}
