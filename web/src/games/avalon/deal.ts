/** Who gets which card in Avalon, from the stream of a table (A4, A5), and what it names; the tables are those of the rules. */
import type { Setup } from '../../protocol/messages';
import type { Stream } from '../../fair/chance';
import TABLES from '../generated/avalon.json';
import { questDealing, seatsWhere, type QuestDeal } from '../quests/deal';
import { isEvil } from '../quests/view';
import type { AvalonSetup, AvalonView } from './view';

const SIDES: Record<number, number[]> = TABLES.sides;
const USUAL: Record<number, string[]> = TABLES.usual;

/** The roles that a table can choose. */
export const OPTIONAL: readonly string[] = TABLES.optional;

function repeat(agreed: Setup, chance: Stream): QuestDeal {
  const setup = agreed as AvalonSetup;
  const roles = chance.shuffled(cards(setup));
  const leader = chance.below(setup.seats);
  return { roles, leader, assassin: setup.merlin ? assassin(setup, roles, chance) : null };
}

/** A card, or a duty that falls on any Evil player but Oberon. */
function assassin(setup: AvalonSetup, roles: string[], chance: Stream): number {
  if (setup.assassin !== 'duty') return roles.indexOf('Assassin');
  return chance.pick(seatsWhere(roles, (role) => isEvil(role) && role !== 'Oberon'));
}

/** Every card of the deal: the special ones in the order of the role list, then Servants and Minions. */
function cards(setup: AvalonSetup): string[] {
  const [good = 0, evil = 0] = SIDES[setup.seats] ?? [];
  const special = TABLES.order.filter((role) => isChosen(setup, role));
  const evilSpecial = special.filter(isEvil).length;
  return [
    ...special,
    ...repeated('Loyal Servant', good - special.length + evilSpecial),
    ...repeated('Minion of Mordred', evil - evilSpecial),
  ];
}

function isChosen(setup: AvalonSetup, role: string): boolean {
  if (role === 'Merlin') return setup.merlin;
  if (role === 'Assassin') return setup.merlin && setup.assassin === 'role';
  const chosen: readonly string[] = setup.roles ?? USUAL[setup.seats] ?? [];
  return OPTIONAL.includes(role) && chosen.includes(role);
}

const NAMED: Partial<Record<string, readonly (readonly string[])[]>> = TABLES.named;

/** The variant of a role's text: a card names no role that everyone knows to be missing (A10). */
export function roleVariant({ setup }: Pick<AvalonView, 'setup'>, role: string): string {
  const missing = (NAMED[role] ?? []).filter((group) => !group.every((named) => isChosen(setup, named)));
  return missing.map(([named = '']) => `no_${named.toLowerCase()}`).join('_');
}

const repeated = (role: string, count: number) => Array.from({ length: Math.max(0, count) }, () => role);

export const dealing = questDealing(repeat);
