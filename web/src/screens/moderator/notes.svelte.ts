/** A moderator's own marks of what became of each seat, kept by this browser for one game. */
import { store, stored } from '../../protocol/storage';

export const MARKS = ['alive', 'killed', 'eliminated', 'saved'] as const;
export type Fate = (typeof MARKS)[number];

export class ModeratorNotes {
  private marks = $state.raw<Readonly<Record<number, Fate>>>({});

  constructor(
    private readonly code: string,
    private readonly game: number,
  ) {
    const [kept, marks] = (stored(`moderator.${code}`) ?? '').split(' ');
    if (Number(kept) === game && marks) this.marks = read(marks);
  }

  of(seat: number): Fate {
    return this.marks[seat] ?? 'alive';
  }

  mark(seat: number, fate: Fate): void {
    this.marks = { ...this.marks, [seat]: fate };
    const text = Object.entries(this.marks)
      .map(([place, one]) => `${place}:${one}`)
      .join(',');
    store(`moderator.${this.code}`, `${this.game} ${text}`);
  }
}

function read(text: string): Record<number, Fate> {
  const marks: Record<number, Fate> = {};
  for (const one of text.split(',')) {
    const [seat, fate] = one.split(':');
    const known = MARKS.find((mark) => mark === fate);
    if (known) marks[Number(seat)] = known;
  }
  return marks;
}
