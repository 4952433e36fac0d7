/** Who gets which card: the three games' deals, from the stream of a table and from nothing else. */
import type { Setup } from '../protocol/messages';
import type { Stream } from './chance';

export type Deal = { roles: string[]; leader?: number; assassin?: number | null };
type Of<Game extends Setup['game']> = Extract<Setup, { game: Game }>;

const SIDES: Record<number, [good: number, evil: number]> = {
  5: [3, 2],
  6: [4, 2],
  7: [4, 3],
  8: [5, 3],
  9: [6, 3],
  10: [6, 4],
};
const SPECIAL = ['Merlin', 'Percival', 'Assassin', 'Morgana', 'Mordred', 'Oberon'];
const LOVERS = ['Tristan', 'Iseult'];

/** Role, and the fewest and most players at which it can come up. */
const GOOD_POOL: [string, number, number][] = [
  ['Merlin', 5, 10],
  ['Percival', 5, 10],
  ['Tristan', 5, 10],
  ['Iseult', 5, 10],
  ['Lancelot', 5, 10],
  ['Nimue', 5, 5],
  ['Arthur', 7, 10],
  ['Titania', 7, 10],
];
const EVIL_POOL: [string, number, number][] = [
  ['Mordred', 5, 10],
  ['Morgana', 5, 10],
  ['Maelagant', 5, 10],
  ['Agravaine', 8, 10],
  ['Colgrevance', 10, 10],
];
export const EVIL: readonly string[] = [
  ...['Assassin', 'Morgana', 'Mordred', 'Oberon', 'Minion of Mordred'],
  ...EVIL_POOL.map(([role]) => role),
];

export function dealt(setup: Setup, chance: Stream): Deal {
  if (setup.game === 'avalon') return avalon(setup as Of<'avalon'>, chance);
  if (setup.game === 'thavalon') return thavalon(setup as Of<'thavalon'>, chance);
  return { roles: chance.shuffled(saviomCards(setup as Of<'saviom'>)) };
}

function avalon(setup: Of<'avalon'>, chance: Stream): Deal {
  const roles = chance.shuffled(avalonCards(setup));
  const leader = chance.below(setup.seats);
  const assassin = () =>
    setup.assassin === 'duty'
      ? chance.pick(seatsWhere(roles, (role) => EVIL.includes(role) && role !== 'Oberon'))
      : roles.indexOf('Assassin');
  return { roles, leader, assassin: setup.merlin ? assassin() : null };
}

function avalonCards(setup: Of<'avalon'>): string[] {
  const [good, evil] = sides(setup.seats);
  const special = SPECIAL.filter((role) => isChosen(setup, role));
  const wicked = special.filter((role) => EVIL.includes(role)).length;
  return [
    ...special,
    ...repeated('Loyal Servant', good - special.length + wicked),
    ...repeated('Minion of Mordred', evil - wicked),
  ];
}

function isChosen(setup: Of<'avalon'>, role: string): boolean {
  if (role === 'Merlin') return setup.merlin;
  if (role === 'Assassin') return setup.merlin && setup.assassin === 'role';
  return (setup.roles ?? usualRoles(setup.seats)).some((chosen) => chosen === role);
}

const usualRoles = (seats: number) => ['Percival', 'Morgana', ...(seats >= 7 ? ['Oberon'] : [])];

function thavalon(setup: Of<'thavalon'>, chance: Stream): Deal {
  const [good, evil] = setup.seats === 9 && setup.nine_evil === 4 ? [5, 4] : sides(setup.seats);
  const drawn = drawGood(pool(GOOD_POOL, setup.seats), good, chance);
  const roles = chance.shuffled([...drawn, ...chance.draw(pool(EVIL_POOL, setup.seats), evil)]);
  const leader = chance.below(setup.seats);
  return { roles, leader, assassin: chance.pick(seatsWhere(roles, (role) => EVIL.includes(role))) };
}

/** The lovers come together or not at all. */
function drawGood(from: string[], places: number, chance: Stream): string[] {
  const drawn = chance.draw(from, places);
  if (drawn.filter((role) => LOVERS.includes(role)).length !== 1) return drawn;
  const rest = drawn.filter((role) => !LOVERS.includes(role));
  const others = from.filter((role) => !drawn.includes(role) && !LOVERS.includes(role));
  if (others.length && chance.below(2) === 0) return [...rest, chance.pick(others)];
  const makesWay = chance.pick(rest);
  return [...rest.filter((role) => role !== makesWay), ...LOVERS];
}

function saviomCards(setup: Of<'saviom'>): string[] {
  const wolves = setup.seats < 10 ? 2 : 3;
  const isAdvanced = setup.mode === 'advanced';
  const special = [
    ...(isAdvanced && setup.seats !== 6 ? ['Protector'] : []),
    ...(isAdvanced && setup.seats !== 7 ? ['Seer'] : []),
  ];
  const citizens = setup.seats - wolves - special.length;
  return [...repeated('Wolf', wolves), ...repeated('Citizen', citizens), ...special];
}

const sides = (seats: number) => SIDES[seats] ?? [0, 0];
const repeated = (role: string, count: number) => Array.from({ length: Math.max(0, count) }, () => role);
const pool = (rows: [string, number, number][], seats: number) =>
  rows.filter(([, fewest, most]) => fewest <= seats && seats <= most).map(([role]) => role);
const seatsWhere = (roles: string[], is: (role: string) => boolean) =>
  roles.flatMap((role, seat) => (is(role) ? [seat] : []));
