/** Saviom's house rules in the lobby: presets, and when a rule matters. */
import type { Chosen, HouseRules, Preset } from '../game';
import { quickStart } from './quick_start';

const always = () => true;

/** The roles of the night are recommended from 8 players on (S3). */
const PRESETS: readonly Preset[] = [
  { name: 'classic', options: quickStart.rules, fits: always, isRecommended: (seats) => seats < 8 },
  {
    name: 'advanced',
    options: { ...quickStart.rules, mode: 'advanced' },
    fits: always,
    isRecommended: (seats) => seats >= 8,
  },
  {
    name: 'quick',
    options: { ...quickStart.rules, day_seconds: 60, defense_seconds: 20, night_seconds: 30 },
    fits: always,
    isRecommended: () => false,
  },
];

const matters = (option: string, _: number, chosen: Chosen): boolean =>
  !['protect_self', 'protect_twice'].includes(option) || chosen.mode === 'advanced';

export const rules: HouseRules = {
  presets: PRESETS,
  matters,
  ranges: {
    quiet_limit: { least: 1, most: 20, step: 1, first: 5 },
    defense_seconds: { least: 10, most: 300, step: 5, first: 30 },
    night_seconds: { least: 10, most: 300, step: 5, first: 60 },
  },
  roles: {},
};
