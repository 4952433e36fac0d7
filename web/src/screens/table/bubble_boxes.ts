/** Where speech bubbles are: beside the seat that speaks, never upon another seat, the middle or another bubble. */
import { discOf, NAME, NOTE, type Layout, type Point } from './places';

export const LINE = 15; // pixels
const PADDING = 8;
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

/** A box for each of these places at the table. */
export function bubbleBoxes(table: Layout, speakers: readonly number[]): BubbleBox[] {
  const boxes: BubbleBox[] = [];
  const seats = table.points.map((point) => seatArea(table, point));
  for (const place of speakers) {
    const own = seats[place] ?? { left: 0, top: 0, width: 0, height: 0 };
    const taken = [middleArea(table), ...seats.filter((_, other) => other !== place), ...boxes];
    const free = tried(own).filter(
      (area) => isWithin(area, table) && !taken.some((other) => shared(area, other) > 0),
    );
    boxes.push(aligned(free.length ? free.reduce(better(own)) : own, own));
  }
  return boxes;
}

/** Boxes of several widths around a seat: above, below, beside and upon it. */
function tried(own: Area): Area[] {
  const found: Area[] = [];
  for (const [width, lines] of [
    [152, 3],
    [120, 3],
    [96, 4],
    [76, 5],
  ] as const) {
    const height = lines * LINE + PADDING;
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
