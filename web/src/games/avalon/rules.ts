/** Avalon's house rules in the lobby: presets, and when a rule matters. How even the presets are: docs/balance.md. */
import type { Chosen, HouseRules, Preset } from '../game';
import { RANGES, TIMES } from '../quests/rules';
import { OPTIONAL } from './deal';

const always = () => true;
const never = () => false;
const isLarge = (seats: number) => seats >= 7;

/** The Lady is recommended from 7 players on (A23). */
const PRESETS: readonly Preset[] = [
  { name: 'usual', options: {}, fits: always, isRecommended: (seats) => !isLarge(seats) },
  { name: 'lady', options: { lady: true }, fits: isLarge, isRecommended: isLarge },
  { name: 'first', options: { roles: [] }, fits: always, isRecommended: never },
  { name: 'sword', options: { lady: true, excalibur: 'both' }, fits: isLarge, isRecommended: never },
  { name: 'plain', options: { merlin: false, roles: [] }, fits: always, isRecommended: never },
  {
    name: 'dark',
    options: { roles: ['Mordred', 'Morgana', 'Percival'] },
    fits: isLarge,
    isRecommended: never,
  },
  { name: 'timed', options: TIMES, fits: always, isRecommended: never },
];

function matters(option: string, _: number, chosen: Chosen): boolean {
  switch (option) {
    case 'assassin':
      return chosen.merlin === true;
    case 'lady_seconds':
    case 'lady_may_pass':
      return chosen.lady === true;
    case 'excalibur_seconds':
      return chosen.excalibur !== 'off';
    default:
      return true;
  }
}

export const rules: HouseRules = {
  presets: PRESETS,
  matters,
  ranges: { ...RANGES, two_fails_from: { least: 5, most: 11, step: 1, first: 7 } },
  roles: { roles: OPTIONAL }, // A4
};
