/** Avatars: a shape and a colour, as one word `owl-amber`. No two shapes look alike, so the colour is never the only sign. */
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

/** What a seat or a member without a choice gets: another shape for each of twelve numbers, always the same. */
export const defaultAvatar = (number: number): Drawn => ({
  shape: SHAPES[wrapped(number, SHAPES.length)] ?? 'fox',
  colour: COLOURS[wrapped(number * 3, COLOURS.length)] ?? 'amber',
});

/** The avatar that was chosen, or the default of that number. */
export function avatarOf(chosen: string, number: number): Drawn {
  const [first, second] = chosen.split('-');
  const shape = SHAPES.find((one) => one === first);
  const colour = COLOURS.find((one) => one === second);
  return shape && colour ? { shape, colour } : defaultAvatar(number);
}

const wrapped = (number: number, size: number) => ((number % size) + size) % size;

/** The drawings are not in the first load. */
let loading: Promise<typeof import('./avatar_shapes')> | undefined;
export const loadShapes = () => (loading ??= import('./avatar_shapes'));
