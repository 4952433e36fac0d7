/** Where speech bubbles are: beside the seat that speaks, never upon another seat, the middle or another bubble. */
import { discOf, NAME, NOTE, type Layout, type Point } from './places';

export const LINE = 15; // pixels
const PADDING = 8; // above and below together; twice as much at the sides
const LETTER = 6.5; // pixels, with some to spare
const WIDE_LETTER = 12; // of Chinese, Japanese and Korean
const FIRST_WIDE_LETTER = '\u2e80';
const STEP = 6; // between two places that are tried
const TOUCH = 6; // how much a bubble lies upon the edge of its seat

type Area = { left: number; top: number; width: number; height: number };
type Side = 'start' | 'center' | 'end';
/** A bubble is no larger than its box, and lies at the side of it that is nearer to the seat. */
export type BubbleBox = Area & { vertical: Side; horizontal: Side };

/** The room that a seat takes with its name and its note. */
export function seatArea({ seat }: Pick<Layout, 'seat'>, { x, y }: Point): Area {
  const height = discOf(seat) + NAME + NOTE;
  return { left: x - seat / 2, top: y - 0.48 * height, width: seat, height };
}

/** What stands in the middle of the table. */
export const middleArea = ({ width, height, seat }: Layout): Area => ({
  left: seat * 1.02,
  top: seat * 1.15,
  width: width - seat * 2.04,
  height: height - seat * 2.25,
});

/** A box for what is said at each of these places of the table. */
export function bubbleBoxes(
  table: Layout,
  speakers: readonly { place: number; text: string }[],
): BubbleBox[] {
  const boxes: BubbleBox[] = [];
  const seats = table.points.map((point) => seatArea(table, point));
  for (const { place, text } of speakers) {
    const own = seats[place] ?? { left: 0, top: 0, width: 0, height: 0 };
    const taken = [middleArea(table), ...seats.filter((_, other) => other !== place), ...boxes];
    const free = tried(own, lengthOf(text)).filter(
      (area) => isWithin(area, table) && !taken.some((other) => shared(area, other) > 0),
    );
    boxes.push(aligned(free.length ? free.reduce(better(own)) : upon(own, lengthOf(text), table.seat), own));
  }
  return boxes;
}

const lengthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter < FIRST_WIDE_LETTER ? LETTER : WIDE_LETTER), 0);

/** Where no place is free: upon the seat itself, and if the text is short, below the upper half of the face. */
function upon(own: Area, length: number, seat: number): Area {
  const hidden = discOf(seat) * 0.55;
  const lower = { ...own, top: own.top + hidden, height: own.height - hidden };
  return linesOf(length, own.width) * LINE + PADDING <= lower.height ? lower : own;
}

/** How many lines a text of this length takes in a box of this width; words do not fill a line. */
function linesOf(length: number, width: number): number {
  const room = width - 2 * PADDING;
  return length <= room ? 1 : Math.ceil((1.2 * length) / room);
}

/** Boxes of several widths around a seat, no larger than a text of this length needs: above, below, beside and upon it. */
function tried(own: Area, length: number): Area[] {
  const found: Area[] = [];
  for (const [widest, most] of [
    [152, 3],
    [120, 3],
    [96, 4],
    [76, 5],
  ] as const) {
    const width = Math.min(widest, length + 2 * PADDING);
    const height = Math.min(most, linesOf(length, width)) * LINE + PADDING;
    for (let left = own.left - width + TOUCH; left <= own.left + own.width - TOUCH; left += STEP)
      for (let top = own.top - height + TOUCH; top <= own.top + own.height - TOUCH; top += STEP)
        found.push({ left, top, width, height });
  }
  return found;
}

/** The less of its own seat it covers the better; then the wider, and the nearer. */
const better = (own: Area) => (one: Area, other: Area) => (cost(one, own) <= cost(other, own) ? one : other);

function cost(area: Area, own: Area): number {
  const [here, there] = [centre(area), centre(own)];
  const covered = shared(area, own) / (own.width * own.height);
  return covered + (152 - area.width) / 200 + Math.hypot(here.x - there.x, here.y - there.y) / 2000;
}

function aligned(area: Area, own: Area): BubbleBox {
  const [here, there] = [centre(area), centre(own)];
  const side = (away: number): Side => (Math.abs(away) < 12 ? 'center' : away > 0 ? 'start' : 'end');
  return { ...area, vertical: side(here.y - there.y), horizontal: side(here.x - there.x) };
}

const centre = ({ left, top, width, height }: Area): Point => ({ x: left + width / 2, y: top + height / 2 });

const isWithin = ({ left, top, width, height }: Area, table: Layout) =>
  left >= 0 && top >= 0 && left + width <= table.width && top + height <= table.height;

/** The square pixels that two areas have in common. */
export function shared(one: Area, other: Area): number {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}
