/** What a house rule takes, read from its JSON Schema, and when it matters at all. */
import type { GameShown } from '../../../protocol/api';
import type { Setup } from '../../../protocol/messages';

export type Kind =
  | { is: 'toggle' }
  | { is: 'choice'; values: (string | number)[] }
  | { is: 'roles' }
  | { is: 'number'; canBeOff: boolean }
  | { is: 'other' };

type Takes = { type?: string; enum?: (string | number)[]; anyOf?: Takes[] };
export type Chosen = Record<string, unknown>;

export function kindOf(option: { takes: unknown }): Kind {
  const takes = option.takes as Takes;
  if (takes.enum) return { is: 'choice', values: takes.enum };
  if (takes.type === 'boolean') return { is: 'toggle' };
  if (takes.anyOf?.some((one) => one.type === 'array')) return { is: 'roles' };
  const isNumber = [takes, ...(takes.anyOf ?? [])].some((one) => one.type === 'integer');
  if (!isNumber) return { is: 'other' };
  return { is: 'number', canBeOff: takes.anyOf?.some((one) => one.type === 'null') ?? false };
}

const AGREED_APART = ['is', 'game', 'rules_version', 'seats'];

/** The house rules that a table has chosen, without what it is and how many it has. */
export function optionsOf(setup: Setup): Chosen {
  return Object.fromEntries(Object.entries(setup).filter(([name]) => !AGREED_APART.includes(name)));
}

export const defaultsOf = (game: GameShown): Chosen =>
  Object.fromEntries(game.options.map((option) => [option.name, option.default]));

export const isTime = (name: string) => name.endsWith('_seconds');

/** Whether a rule can make a difference at this table; the others would only be in the way. */
export function matters(name: string, seats: number, chosen: Chosen): boolean {
  switch (name) {
    case 'assassin':
      return chosen.merlin === true;
    case 'lady_seconds':
      return chosen.lady === true;
    case 'excalibur_seconds':
      return chosen.excalibur !== 'off';
    case 'nine_evil':
      return seats === 9;
    case 'declare_seconds':
    case 'clock':
      return seats >= 8;
    case 'protect_self':
    case 'protect_twice':
      return chosen.mode === 'advanced';
    default:
      return true;
  }
}

type Range = { least: number; most: number; step: number; first: number };
const COUNT: Range = { least: 0, most: 100, step: 1, first: 1 };
const SECONDS: Range = { least: 15, most: 900, step: 15, first: 60 };
const RANGES: Record<string, Range> = {
  two_fails_from: { least: 5, most: 11, step: 1, first: 7 },
  quiet_limit: { least: 1, most: 20, step: 1, first: 5 },
  declare_seconds: { least: 5, most: 120, step: 5, first: 20 },
  defense_seconds: { least: 10, most: 300, step: 5, first: 30 },
  night_seconds: { least: 10, most: 300, step: 5, first: 60 },
  propose_seconds: { ...SECONDS, first: 120 },
  shot_seconds: { ...SECONDS, first: 180 },
};

/** How far a number goes by taps, and where it begins when it is switched on. */
export const rangeOf = (name: string): Range => RANGES[name] ?? (isTime(name) ? SECONDS : COUNT);
