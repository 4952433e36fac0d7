/** What is being chosen at the table, before it is sent: seats that were tapped, and for which of several moves. */
export class Choice {
  picked = $state<number[]>([]);
  /** Which of the kinds of move, or of the sizes of team, that are offered. */
  aim = $state(0);
  /** The one of them that gets something besides. */
  marked = $state<number | null>(null);
  /** Whom a seat without a move has tapped; it is not sent. */
  kept = $state<number | null>(null);

  /** Toggles a seat; beyond the limit the first choice is dropped. */
  tap(seat: number, limit: number): void {
    this.picked = this.picked.includes(seat)
      ? this.picked.filter((one) => one !== seat)
      : [...this.picked, seat].slice(-limit);
    if (this.marked !== null && !this.picked.includes(this.marked)) this.marked = null;
  }

  /** Drops choices that are no longer allowed, for example after a declaration. */
  store(seats: readonly number[]): void {
    if (this.picked.some((seat) => !seats.includes(seat)))
      this.picked = this.picked.filter((seat) => seats.includes(seat));
  }

  clear(): void {
    this.picked = [];
    this.marked = null;
  }

  restart(): void {
    this.clear();
    this.aim = 0;
    this.kept = null;
  }
}
