import { describe, expect, it } from 'vitest';
import { discOf, layout } from './places';

describe('seats around the table', () => {
  const rooms = [
    { width: 288, height: 272 },
    { width: 288, height: 340 },
    { width: 358, height: 400 },
    { width: 358, height: 500 },
    { width: 800, height: 420 },
  ];
  for (const room of rooms)
    for (let seats = 5; seats <= 12; seats++)
      it(`puts ${seats} within ${room.width} by ${room.height}, ours at the bottom, none upon another`, () => {
        const { points, seat, width, height } = layout(room, seats);
        expect(points).toHaveLength(seats);
        expect(points[0]?.x).toBeCloseTo(width / 2);
        expect(points[0]?.y).toBe(Math.max(...points.map((point) => point.y)));
        for (const { x, y } of points) {
          expect(x).toBeGreaterThanOrEqual(seat / 2 - 0.01);
          expect(x).toBeLessThanOrEqual(width - seat / 2 + 0.01);
          expect(y).toBeLessThanOrEqual(height);
        }
        const tall = discOf(seat) + 21; // with the name below
        points.forEach((one, number) =>
          points.slice(number + 1).forEach((other) => {
            const [across, up] = [Math.abs(one.x - other.x), Math.abs(one.y - other.y)];
            expect(across >= seat || up >= tall, `${one.x},${one.y} and ${other.x},${other.y}`).toBe(true);
          }),
        );
      });

  it('is oval where the seats have room', () => {
    for (const seats of [5, 7, 10]) expect(layout({ width: 760, height: 560 }, seats).round).toBe(1);
    expect(layout({ width: 358, height: 500 }, 5)).toMatchObject({ round: 1, height: 358 * 1.15 });
  });

  it('uses the room above and below where it is needed', () => {
    expect(layout({ width: 358, height: 500 }, 12).height).toBeGreaterThan(358 * 1.15);
  });

  it('goes round clockwise', () => {
    const { points, width } = layout({ width: 358, height: 400 }, 6);
    expect(points[1]?.x).toBeLessThan(width / 2); // the next seat is on our left, as at a table
    expect(points[5]?.x).toBeGreaterThan(width / 2);
  });
});
