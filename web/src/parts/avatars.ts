/** Avatars: a shape and a colour, as one word `owl-amber`. No two shapes look alike, so the colour is never the only sign. */
import { fetched } from './fetched';

export const SHAPES = [
  'fox',
  'owl',
  'stag',
  'raven',
  'bear',
  'cat',
  'hare',
  'boar',
  'ship',
  'tower',
  'oak',
  'carp',
] as const;
export const COLOURS = ['amber', 'teal', 'plum', 'moss', 'coral', 'slate', 'rose', 'sand'] as const;
export type Shape = (typeof SHAPES)[number];
export type Colour = (typeof COLOURS)[number];
export type Drawn = { shape: Shape; colour: Colour };
type Seated = {
  seats: readonly { member: number | null }[];
  members: readonly { member: number; avatar?: string }[];
};

/** What a seat or a member without a choice gets: another shape for each of twelve numbers, always the same. */
export const defaultAvatar = (number: number): Drawn => ({
  shape: SHAPES[wrapped(number, SHAPES.length)] ?? 'fox',
  colour: COLOURS[wrapped(number * 3, COLOURS.length)] ?? 'amber',
});

/** The avatar that was chosen, or the default of that number. */
export const avatarOf = (chosen: string, number: number): Drawn => known(chosen) ?? defaultAvatar(number);

/** The avatars of a table, seat by seat: a bot, or a member without a choice, has a shape that no other seat has. */
export function avatarsAt({ seats, members }: Seated): string[] {
  const chosen = seats.map(({ member }) => known(members.find((one) => one.member === member)?.avatar ?? ''));
  const taken = new Set(chosen.map((one) => one?.shape));
  const drawn = chosen.map((one, seat) => {
    const usual = defaultAvatar(seat);
    if (one || taken.has(usual.shape)) return one;
    taken.add(usual.shape);
    return usual;
  });
  return drawn.map((one, seat) => {
    const { shape, colour } = one ?? { ...defaultAvatar(seat), shape: freeShape(taken, seat) };
    taken.add(shape);
    return `${shape}-${colour}`;
  });
}

/** The first that is free; at a table that has them all, the usual one. */
const freeShape = (taken: ReadonlySet<Shape | undefined>, seat: number): Shape =>
  SHAPES.find((one) => !taken.has(one)) ?? defaultAvatar(seat).shape;

function known(chosen: string): Drawn | undefined {
  const [first, second] = chosen.split('-');
  const shape = SHAPES.find((one) => one === first);
  const colour = COLOURS.find((one) => one === second);
  return shape && colour && { shape, colour };
}

const wrapped = (number: number, size: number) => ((number % size) + size) % size;

/** The drawings are not in the first load. */
let loading: Promise<typeof import('./avatar_shapes')> | undefined;
export const loadShapes = () => (loading ??= fetched(() => import('./avatar_shapes')));
