/** Who is who in THavalon, from the stream of a table (T1 to T4); the tables are those of the rules. */
import type { Stream } from '../../fair/chance';
import type { Setup } from '../../protocol/messages';
import TABLES from '../generated/thavalon.json';
import { questDealing, seatsWhere, type QuestDeal } from '../quests/deal';
import { isEvil } from '../quests/view';
import type { ThavalonSetup } from './view';

type BySeats<Value> = Record<number, Value>;
const GOOD: BySeats<string[]> = TABLES.good;
const EVIL: BySeats<string[]> = TABLES.evil;
const SIDES: Record<number, BySeats<number[]>> = TABLES.sides;
const LOVERS = ['Tristan', 'Iseult'];

function repeat(agreed: Setup, chance: Stream): QuestDeal {
  const setup = agreed as ThavalonSetup;
  const [good = 0, evil = 0] = SIDES[setup.nine_evil]?.[setup.seats] ?? [];
  const pools = poolsOf(setup);
  const drawn = drawGood(pools.good, good, chance);
  const roles = chance.shuffled([...drawn, ...chance.draw(pools.evil, evil)]);
  const leader = chance.below(setup.seats);
  return { roles, leader, assassin: chance.pick(seatsWhere(roles, isEvil)) };
}

/** The roles that can come up at this table: those that it chose (T26), or those for its number of players (T2). */
function poolsOf({ seats, pool }: ThavalonSetup) {
  if (!pool) return { good: GOOD[seats] ?? [], evil: EVIL[seats] ?? [] };
  const isChosen = (role: string) => (pool as readonly string[]).includes(role);
  return { good: TABLES.all_good.filter(isChosen), evil: TABLES.all_evil.filter(isChosen) };
}

/** The lovers come together or not at all. */
function drawGood(from: readonly string[], places: number, chance: Stream): string[] {
  const drawn = chance.draw(from, places);
  if (drawn.filter((role) => LOVERS.includes(role)).length !== 1) return drawn;
  const rest = drawn.filter((role) => !LOVERS.includes(role));
  const others = from.filter((role) => !drawn.includes(role) && !LOVERS.includes(role));
  if (others.length && chance.below(2) === 0) return [...rest, chance.pick(others)];
  const makesWay = chance.pick(rest);
  return [...rest.filter((role) => role !== makesWay), ...LOVERS];
}

export const dealing = questDealing(repeat);
