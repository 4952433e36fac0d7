/** Where the seats are around the table: on an ellipse, at equal distances along its edge, the first one at the bottom. */
type Point = { x: number; y: number };
export type Layout = { width: number; height: number; seat: number; points: Point[] };

const STEPS = 720;
const TALL = 1.22; // a seat with its name below, against its width
const ROUND = 1.15; // how much higher than wide a table may be
const WIDEST = 760;

/** A table of so many seats within that room, in pixels: as large as it goes, and never thinner than it needs. */
export function layout(room: { width: number; height: number }, seats: number): Layout {
  const width = Math.min(room.width, WIDEST);
  const height = Math.min(room.height, width * ROUND);
  const between = edge(width - 60, height - 74, STEPS).length / seats;
  const seat = Math.round(Math.max(54, Math.min(width < 560 ? 74 : 104, between * 0.94)));
  return { width, height, seat, points: around(width, height, seat, seats) };
}

function around(width: number, height: number, seat: number, seats: number): Point[] {
  const { points, lengths, length } = edge(width - seat, height - seat * TALL, STEPS);
  const found: Point[] = [];
  let walked = 0;
  points.forEach((point, step) => {
    if (found.length < seats && walked >= (found.length * length) / seats - 1e-6)
      found.push({ x: point.x + width / 2, y: point.y + height / 2 });
    walked += lengths[step] ?? 0;
  });
  return found;
}

/** An ellipse as many short steps, clockwise from its lowest point. */
function edge(width: number, height: number, steps: number) {
  const points = Array.from({ length: steps }, (_, step) => {
    const turn = (step / steps) * 2 * Math.PI;
    return { x: (-width / 2) * Math.sin(turn), y: (height / 2) * Math.cos(turn) };
  });
  const lengths = points.map((point, step) => distance(point, points[(step + 1) % steps] ?? point));
  return { points, lengths, length: lengths.reduce((sum, one) => sum + one, 0) };
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
