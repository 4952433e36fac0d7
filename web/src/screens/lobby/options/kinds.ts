/** What a house rule takes, read from its JSON Schema. */
import { uiOf } from '../../../games';
import type { Chosen, Range } from '../../../games/game';
import type { GameListing } from '../../../protocol/api';
import type { Setup } from '../../../protocol/messages';

export type Kind =
  | { is: 'toggle' }
  | { is: 'choice'; values: (string | number)[] }
  | { is: 'roles' }
  | { is: 'number'; canBeOff: boolean }
  | { is: 'other' };

type Takes = { type?: string; enum?: (string | number)[]; anyOf?: Takes[] };

export function kindOf(option: { takes: unknown }): Kind {
  const takes = option.takes as Takes;
  if (takes.enum) return { is: 'choice', values: takes.enum };
  if (takes.type === 'boolean') return { is: 'toggle' };
  if (takes.anyOf?.some((one) => one.type === 'array')) return { is: 'roles' };
  const isNumber = [takes, ...(takes.anyOf ?? [])].some((one) => one.type === 'integer');
  if (!isNumber) return { is: 'other' };
  return { is: 'number', canBeOff: takes.anyOf?.some((one) => one.type === 'null') ?? false };
}

const NOT_HOUSE_RULES = ['is', 'game', 'rules_version', 'seats'];

/** The house rules of a table, without what it is and how many it has. What a setup leaves out has its default. */
export function optionsOf(setup: Setup, game: GameListing): Chosen {
  const chosen = Object.entries(setup).filter(([name]) => !NOT_HOUSE_RULES.includes(name));
  return { ...defaultsOf(game), ...Object.fromEntries(chosen) };
}

export const defaultsOf = (game: GameListing): Chosen =>
  Object.fromEntries(game.options.map((option) => [option.name, option.default]));

export const isTime = (name: string) => name.endsWith('_seconds');

const COUNT: Range = { least: 0, most: 100, step: 1, first: 1 };
const SECONDS: Range = { least: 15, most: 900, step: 15, first: 60 };

export const rangeOf = (game: string, name: string): Range =>
  uiOf(game).rules.ranges[name] ?? (isTime(name) ? SECONDS : COUNT);
