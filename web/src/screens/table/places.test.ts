import { describe, expect, it } from 'vitest';
import { layout } from './places';

describe('seats around the table', () => {
  const rooms = [
    { width: 288, height: 272 },
    { width: 358, height: 400 },
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
        const disc = Math.max(40, seat * 0.66);
        points.forEach((one, number) =>
          points.slice(number + 1).forEach((other) => {
            expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(disc);
          }),
        );
      });

  it('goes round clockwise', () => {
    const { points, width } = layout({ width: 358, height: 400 }, 6);
    expect(points[1]?.x).toBeLessThan(width / 2); // the next seat is on our left, as at a table
    expect(points[5]?.x).toBeGreaterThan(width / 2);
  });
});
