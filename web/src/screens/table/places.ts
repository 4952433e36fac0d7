/** Where the seats are around the table: at equal distances along its edge, the first one at the bottom. */
export type Point = { x: number; y: number };
type Size = { width: number; height: number };
/** `round`: how much of each side is taken by its corners; an oval table has nothing else. */
export type Layout = Size & { seat: number; round: number; points: Point[] };

const STEPS = 60; // of each corner and each straight piece
const WIDEST = 760;
const OVAL = 1.15; // how much higher than wide a table is, if its seats need no more
const HEIGHTS = 6; // that are tried beyond this
const ROUND = [1, 0.8, 0.6, 0.45, 0.3, 0.15];
const SEATS = [64, 54, 48]; // widths that are tried where the widest leaves no room
export const NAME = 21; // pixels below the disc
export const NOTE = 14; // below the name
const CROWN = 16; // what a mark stands out above the disc

export const discOf = (seat: number): number => Math.max(40, seat * 0.66);

/** A table of so many seats within that room, in pixels: oval and as large as it goes. Where labels would lie upon one
    another, it is higher, its corners are tighter, or the seats are smaller. */
export function layout(room: Size, seats: number): Layout {
  let best: { found: Layout; apart: number } | undefined;
  for (const tried of candidates(room, seats)) {
    const apart = clearance(tried.found, tried.tall);
    if (apart >= 0) return tried.found;
    if (!best || apart > best.apart) best = { found: tried.found, apart };
  }
  return best?.found ?? { ...room, seat: 48, round: 1, points: [] };
}

/** The nicest first. */
function* candidates(room: Size, seats: number) {
  const width = Math.min(room.width, WIDEST);
  const usual = Math.min(room.height, width * OVAL);
  const between = lengthOf(edge(width - 60, usual - 74, 1)) / seats;
  const widest = Math.round(Math.max(54, Math.min(width < 560 ? 74 : 104, between * 0.94)));
  for (const hasNotes of [true, false])
    for (const seat of [widest, ...SEATS.filter((narrower) => narrower < widest)])
      for (const round of ROUND)
        for (let step = 0; step <= HEIGHTS; step++) {
          const height = usual + ((room.height - usual) * step) / HEIGHTS;
          const tall = discOf(seat) + NAME + (hasNotes ? NOTE : 0);
          const path = edge(width - seat, height - tall - CROWN, round);
          for (const spread of [evenly, tightly]) {
            const points = spread(path, seats, { width: seat, height: tall }).map(({ x, y }) => ({
              x: x + width / 2,
              y: y + height / 2,
            }));
            yield { found: { width, height, seat, round, points }, tall };
          }
          if (room.height <= usual) break;
        }
}

/** How far the two nearest seats are apart, in the direction in which they are; negative where they overlap. */
function clearance({ points, seat }: Layout, tall: number): number {
  const apart = points.flatMap((one, place) =>
    points
      .slice(place + 1)
      .map((other) => Math.max(Math.abs(one.x - other.x) - seat, Math.abs(one.y - other.y) - tall)),
  );
  return Math.min(...apart);
}

/** At equal distances along the path. */
function evenly(path: readonly Point[], seats: number): Point[] {
  const length = lengthOf(path);
  const found: Point[] = [];
  let walked = 0;
  path.forEach((point, step) => {
    if (found.length < seats && walked >= (found.length * length) / seats - 1e-6) found.push(point);
    walked += distance(point, path[(step + 1) % path.length] ?? point);
  });
  return found;
}

/** So that each seat with its label is as far from the next as all of them can be. */
function tightly(path: readonly Point[], seats: number, label: Size): Point[] {
  let [near, far, found] = [0, 4, evenly(path, seats)];
  for (let halving = 0; halving < 16; halving++) {
    const gap = (near + far) / 2;
    const placed = chained(path, gap, label);
    if (placed.length >= seats) [near, found] = [gap, placed.slice(0, seats)];
    else far = gap;
  }
  return found;
}

/** As many as fit with this gap, in sizes of a label; the last one has it to the first as well. */
function chained(path: readonly Point[], gap: number, label: Size): Point[] {
  const apart = (one: Point, other: Point) =>
    Math.max(Math.abs(one.x - other.x) / label.width, Math.abs(one.y - other.y) / label.height);
  const [first] = path;
  if (!first) return [];
  const placed = [first];
  for (const point of path)
    if (apart(point, placed.at(-1) ?? first) >= gap && apart(point, first) >= gap) placed.push(point);
  return placed;
}

/** The edge as many short steps, clockwise from its lowest point: straight pieces and corners. */
function edge(width: number, height: number, round: number): Point[] {
  const [across, up] = [Math.max(width, 0) / 2, Math.max(height, 0) / 2];
  const corner = { x: across * round, y: up * round };
  const points: Point[] = [];
  const straight = (from: Point, to: Point) => {
    for (let step = 0; step < STEPS; step++) {
      const part = step / STEPS;
      points.push({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
    }
  };
  const curve = (center: Point, from: number) => {
    for (let step = 0; step < STEPS; step++) {
      const turn = from + ((step / STEPS) * Math.PI) / 2;
      points.push({ x: center.x - corner.x * Math.sin(turn), y: center.y + corner.y * Math.cos(turn) });
    }
  };
  const [x, y] = [across - corner.x, up - corner.y];
  straight({ x: 0, y: up }, { x: -x, y: up });
  curve({ x: -x, y }, 0);
  straight({ x: -across, y }, { x: -across, y: -y });
  curve({ x: -x, y: -y }, Math.PI / 2);
  straight({ x: -x, y: -up }, { x, y: -up });
  curve({ x, y: -y }, Math.PI);
  straight({ x: across, y: -y }, { x: across, y });
  curve({ x, y }, 1.5 * Math.PI);
  straight({ x, y: up }, { x: 0, y: up });
  return points;
}

const lengthOf = (path: readonly Point[]): number =>
  path.reduce((sum, point, step) => sum + distance(point, path[(step + 1) % path.length] ?? point), 0);

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
