/** Tables that are known to be good, by game and size: one tap instead of fifteen choices. */
import type { Chosen } from './kinds';

export type Preset = {
  name: PresetName;
  options: Chosen;
  fits: (seats: number) => boolean;
  isRecommended: (seats: number) => boolean;
};

export type PresetName =
  | 'usual'
  | 'dark'
  | 'first'
  | 'lady'
  | 'sword'
  | 'plain'
  | 'timed'
  | 'paired'
  | 'script'
  | 'classic'
  | 'advanced'
  | 'quick';

const always = () => true;
const never = () => false;
const TIMES = { propose_seconds: 120, vote_seconds: 45, quest_seconds: 45, shot_seconds: 180 };

/** The Lady is recommended from 7 players on (A23), and Saviom's roles from 8 (S3). How even they are: docs/balance.md. */
export const PRESETS: Record<string, readonly Preset[]> = {
  avalon: [
    { name: 'usual', options: {}, fits: always, isRecommended: (seats) => seats < 7 },
    {
      name: 'lady',
      options: { lady: true },
      fits: (seats) => seats >= 7,
      isRecommended: (seats) => seats >= 7,
    },
    { name: 'first', options: { roles: [] }, fits: always, isRecommended: never },
    {
      name: 'sword',
      options: { lady: true, excalibur: 'both' },
      fits: (seats) => seats >= 7,
      isRecommended: never,
    },
    { name: 'plain', options: { merlin: false, roles: [] }, fits: always, isRecommended: never },
    {
      name: 'dark',
      options: { roles: ['Mordred', 'Morgana', 'Percival'] },
      fits: (seats) => seats >= 7,
      isRecommended: never,
    },
    { name: 'timed', options: TIMES, fits: always, isRecommended: never },
  ],
  thavalon: [
    { name: 'usual', options: {}, fits: always, isRecommended: always },
    { name: 'script', options: { nine_evil: 4 }, fits: (seats) => seats === 9, isRecommended: never },
    { name: 'paired', options: { first_round: 'paired' }, fits: always, isRecommended: never },
    { name: 'timed', options: TIMES, fits: always, isRecommended: never },
  ],
  saviom: [
    { name: 'classic', options: {}, fits: always, isRecommended: (seats) => seats < 8 },
    { name: 'advanced', options: { mode: 'advanced' }, fits: always, isRecommended: (seats) => seats >= 8 },
    {
      name: 'quick',
      options: { early_end: true, day_seconds: 60, defense_seconds: 20, night_seconds: 30 },
      fits: always,
      isRecommended: never,
    },
  ],
};

export const presetsFor = (game: string, seats: number) =>
  (PRESETS[game] ?? []).filter((preset) => preset.fits(seats));

/** Whether a table has exactly these house rules, whatever they are left at. */
export function isChosen(preset: Preset, chosen: Chosen, defaults: Chosen): boolean {
  const wanted: Chosen = { ...defaults, ...preset.options };
  return Object.keys(defaults).every((name) => JSON.stringify(wanted[name]) === JSON.stringify(chosen[name]));
}
