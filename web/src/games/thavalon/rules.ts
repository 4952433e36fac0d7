/** THavalon's house rules in the lobby: presets, and when a rule matters. */
import type { HouseRules, Preset } from '../game';
import { RANGES, TIMES } from '../quests/rules';

const always = () => true;
const never = () => false;

const PRESETS: readonly Preset[] = [
  { name: 'usual', options: {}, fits: always, isRecommended: always },
  { name: 'script', options: { nine_evil: 4 }, fits: (seats) => seats === 9, isRecommended: never },
  { name: 'paired', options: { first_round: 'paired' }, fits: always, isRecommended: never },
  { name: 'timed', options: TIMES, fits: always, isRecommended: never },
];

function matters(option: string, seats: number): boolean {
  switch (option) {
    case 'nine_evil':
      return seats === 9;
    case 'declare_seconds':
    case 'clock':
      return seats >= 8;
    default:
      return true;
  }
}

export const rules: HouseRules = {
  presets: PRESETS,
  matters,
  ranges: { ...RANGES, declare_seconds: { least: 5, most: 120, step: 5, first: 20 } },
  roles: {},
};
