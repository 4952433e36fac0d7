/** A player's private notes on one game: a mark and a role for each seat, and a notepad. They stay in this browser. */
import { forget, store, stored, storedNames } from '../protocol/storage';

export const SUSPICIONS = ['trust', 'unsure', 'suspect'] as const;
export type Suspicion = (typeof SUSPICIONS)[number];
export type SeatNote = { suspicion?: Suspicion; role?: string };

const FOLDER = 'notes.';
const LONGEST = 4_000; // characters of the notepad

export class Notes {
  seats = $state<Record<number, SeatNote>>({});
  text = $state('');
  /** Whether the marks are drawn at the table, where a neighbour could read them. */
  isShown = $state(false);
  private readonly place: string;

  /** Opens the notes of this game, and removes those of earlier games of the room. Neighbours in one room could read
      the marks, so these are drawn from the start only where there are none. */
  constructor(code: string, number: number, hasNeighbours: boolean) {
    this.isShown = !hasNeighbours;
    this.place = `${FOLDER}${code}.${number}`;
    for (const name of storedNames(`${FOLDER}${code}.`)) if (name !== this.place) forget(name);
    this.read(stored(this.place));
  }

  of(seat: number): SeatNote {
    return this.seats[seat] ?? {};
  }

  mark(seat: number, suspicion: Suspicion | null): void {
    const { role } = this.of(seat);
    this.change(seat, { ...(role && { role }), ...(suspicion && { suspicion }) });
  }

  guess(seat: number, role: string): void {
    const { suspicion } = this.of(seat);
    this.change(seat, { ...(suspicion && { suspicion }), ...(role && { role }) });
  }

  write(text: string): void {
    this.text = text.slice(0, LONGEST);
    this.store();
  }

  show(isShown: boolean): void {
    this.isShown = isShown;
    this.store();
  }

  clear(): void {
    this.seats = {};
    this.text = '';
    forget(this.place);
  }

  private change(seat: number, note: SeatNote): void {
    this.seats[seat] = note;
    this.store();
  }

  private store(): void {
    store(this.place, JSON.stringify({ seats: this.seats, text: this.text, isShown: this.isShown }));
  }

  /** What cannot be read is as if it were not there. */
  private read(written: string | null): void {
    try {
      const found = JSON.parse(written ?? '{}') as Partial<Pick<Notes, 'seats' | 'text' | 'isShown'>>;
      this.seats = found.seats ?? {};
      this.text = found.text ?? '';
      this.isShown = found.isShown ?? this.isShown;
    } catch {
      this.seats = {};
    }
  }
}
