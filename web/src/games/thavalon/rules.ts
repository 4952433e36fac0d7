/** THavalon's house rules in the lobby: presets, and when a rule matters. */
import type { Chosen, HouseRules, Preset } from '../game';
import TABLES from '../generated/thavalon.json';
import { RANGES, TIMES } from '../quests/rules';

const always = () => true;
const never = () => false;

const PRESETS: readonly Preset[] = [
  { name: 'usual', options: {}, fits: always, isRecommended: always },
  { name: 'script', options: { nine_evil: 4 }, fits: (seats) => seats === 9, isRecommended: never },
  { name: 'paired', options: { first_round: 'paired' }, fits: always, isRecommended: never },
  { name: 'timed', options: TIMES, fits: always, isRecommended: never },
];

function matters(option: string, seats: number, chosen: Chosen): boolean {
  switch (option) {
    case 'nine_evil':
      return seats === 9;
    case 'first_round': // where rejections are counted, a pair can only be switched off
      return chosen.proposals !== 'five_rejections' || chosen.first_round === 'paired';
    case 'declare_seconds':
    case 'clock':
      return chosen.declarations !== false && hasAgravaine(seats, chosen.pool);
    default:
      return true;
  }
}

/** Whether Agravaine can be dealt (T2, T26). */
const hasAgravaine = (seats: number, pool: unknown) =>
  Array.isArray(pool) ? pool.includes('Agravaine') : seats >= 8;

export const rules: HouseRules = {
  presets: PRESETS,
  matters,
  ranges: { ...RANGES, declare_seconds: { least: 5, most: 120, step: 5, first: 20 } },
  roles: { pool: [...TABLES.all_good, ...TABLES.all_evil] },
  together: ['Tristan', 'Iseult'],
};
