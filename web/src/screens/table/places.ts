/** Where the seats are around the table: on an ellipse, at equal distances along its edge, the first one at the bottom. */
export type Point = { x: number; y: number };
export type Layout = { width: number; height: number; seat: number; points: Point[] };

const STEPS = 720;

/** A table of that width with so many seats, in pixels. The fewer the seats and the wider the page, the flatter it is. */
export function layout(width: number, seats: number): Layout {
  const seat = width < 340 ? 62 : width < 480 ? 70 : 92;
  const flatness = width >= 560 ? 0.7 : seats <= 6 ? 0.98 : seats <= 8 ? 1.08 : 1.24;
  const height = Math.round(width * flatness);
  return { width, height, seat, points: around(width, height, seat, seats) };
}

function around(width: number, height: number, seat: number, seats: number): Point[] {
  const [rx, ry] = [(width - seat) / 2, (height - seat * 1.18) / 2];
  const edge = Array.from({ length: STEPS }, (_, step) => {
    const turn = (step / STEPS) * 2 * Math.PI;
    return { x: width / 2 - rx * Math.sin(turn), y: height / 2 + ry * Math.cos(turn) };
  });
  const lengths = edge.map((point, step) => distance(point, edge[(step + 1) % STEPS] ?? point));
  const whole = lengths.reduce((sum, one) => sum + one, 0);
  const points: Point[] = [];
  let walked = 0;
  edge.forEach((point, step) => {
    if (points.length < seats && walked >= (points.length * whole) / seats - 1e-6) points.push(point);
    walked += lengths[step] ?? 0;
  });
  return points;
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
