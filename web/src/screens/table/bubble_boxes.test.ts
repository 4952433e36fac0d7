import { expect, test } from 'vitest';
import { bubbleBoxes, middleArea, seatArea, shared } from './bubble_boxes';
import { discOf, layout } from './places';

const ROOMS = [
  { width: 304, height: 300 }, // a board on a phone of 320 pixels
  { width: 374, height: 420 },
  { width: 760, height: 640 },
];

test.each(ROOMS)(
  'in %j a bubble lies upon no other seat, no other bubble and not upon the middle',
  (room) => {
    for (let seats = 5; seats <= 12; seats++) {
      const table = layout(room, seats);
      const everyone = table.points.map((_, place) => ({ place, text: 'I trust none of you. '.repeat(9) }));
      const boxes = bubbleBoxes(table, everyone);
      expect(boxes).toHaveLength(seats);
      boxes.forEach((box, place) => {
        const others = table.points.filter((_, other) => other !== place).map((one) => seatArea(table, one));
        const own = seatArea(table, table.points[place] ?? { x: 0, y: 0 });
        const isUponOwn = JSON.stringify([box.left, box.top]) === JSON.stringify([own.left, own.top]);
        if (!isUponOwn)
          for (const other of [...others, middleArea(table), ...boxes.filter((one) => one !== box)])
            expect(shared(box, other)).toBeLessThan(1);
      });
      expect(bubbleBoxes(table, everyone.slice(0, 1))).toEqual([boxes[0]]);
    }
  },
);

test.each(ROOMS)('in %j a short remark leaves half of the speaker’s face free', (room) => {
  for (let seats = 5; seats <= 9; seats++) {
    const table = layout(room, seats);
    table.points.forEach((point, place) => {
      const [box] = bubbleBoxes(table, [{ place, text: 'I trust Gareth.' }]);
      const { left, top, width } = seatArea(table, point);
      const face = { left, top, width, height: discOf(table.seat) };
      expect(shared(box ?? face, face) / (face.width * face.height)).toBeLessThan(0.5);
    });
  }
});
