import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { avatarOf, avatarsAt, COLOURS, defaultAvatar, loadShapes, SHAPES } from './avatars';

test('an avatar is a shape and a colour', () => {
  expect(avatarOf('owl-amber', 3)).toEqual({ shape: 'owl', colour: 'amber' });
});

test.each(['', 'owl', 'dragon-amber', 'owl-octarine'])(
  'without a known choice (%s) the seat decides',
  (chosen) => {
    expect(avatarOf(chosen, 3)).toEqual(defaultAvatar(3));
  },
);

test('the seats of the largest table have different shapes, always the same', () => {
  const seats = Array.from({ length: 12 }, (_, seat) => defaultAvatar(seat).shape);
  expect(new Set(seats).size).toBe(12);
  expect(defaultAvatar(-1)).toEqual(defaultAvatar(-1));
});

const table = (...chosen: (string | null)[]) => ({
  seats: chosen.map((one, seat) => ({ member: one === null ? null : seat })),
  members: chosen.map((one, member) => ({ member, avatar: one ?? '' })),
});

test('a bot has no shape that another seat has', () => {
  expect(avatarsAt(table('stag-rose', null, null, ''))).toEqual([
    'stag-rose',
    'owl-moss',
    'fox-rose',
    'raven-teal',
  ]);
  const full = avatarsAt(table('stag-rose', 'tower-sand', ...Array.from({ length: 10 }, () => null)));
  expect(new Set(full.map((one) => one.split('-')[0])).size).toBe(12);
  expect(avatarsAt(table(...Array.from({ length: 14 }, () => null)))).toHaveLength(14);
});

test('every value is one that the server takes', () => {
  const values = SHAPES.flatMap((shape) => COLOURS.map((colour) => `${shape}-${colour}`));
  expect(values.filter((value) => !/^[a-z]+-[a-z]+$/.test(value) || value.length > 24)).toEqual([]);
});

test('every shape is drawn, and no two alike', async () => {
  const { DRAWINGS } = await loadShapes();
  expect(Object.keys(DRAWINGS).sort()).toEqual([...SHAPES].sort());
  expect(new Set(Object.values(DRAWINGS).map(({ light }) => light)).size).toBe(SHAPES.length);
});

/** Relative luminance, as in WCAG. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('the figure stands out from every disc', () => {
  const css = readFileSync('src/theme.css', 'utf8');
  const colour = (name: string) => new RegExp(`--avatar-${name}: (#\\w{6})`).exec(css)?.[1] ?? '#ffffff';
  const figure = luminance(colour('figure')) + 0.05;
  const weak = COLOURS.filter((name) => figure / (luminance(colour(name)) + 0.05) < 4.5);
  expect(weak).toEqual([]);
});
