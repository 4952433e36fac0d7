/** What is being chosen at the table, before it is sent: seats that were tapped, and for which of several moves. */
export class Choice {
  picked = $state<number[]>([]);
  /** Which of the kinds of move, or of the sizes of team, that are offered. */
  aim = $state(0);
  /** The one of them that gets something besides. */
  marked = $state<number | null>(null);
  /** Whom a seat without a move has tapped; it is not sent. */
  kept = $state<number | null>(null);

  /** The seat that was tapped last although enough were picked, and how many that is. */
  refused = $state<{ seat: number; limit: number } | null>(null);

  /** Toggles a seat. One of several that is too many is refused; a single choice moves to the seat that was tapped. */
  tap(seat: number, limit: number): void {
    const isPicked = this.picked.includes(seat);
    const isRefused = !isPicked && limit > 1 && this.picked.length >= limit;
    this.refused = isRefused ? { seat, limit } : null;
    if (isRefused) return;
    this.picked = isPicked ? this.picked.filter((one) => one !== seat) : [...this.picked, seat].slice(-limit);
    if (this.marked !== null && !this.picked.includes(this.marked)) this.marked = null;
  }

  /** Drops choices that are no longer allowed, for example after a declaration. */
  store(seats: readonly number[]): void {
    if (this.picked.some((seat) => !seats.includes(seat)))
      this.picked = this.picked.filter((seat) => seats.includes(seat));
  }

  clear(): void {
    this.picked = [];
    this.marked = this.refused = null;
  }

  restart(): void {
    this.clear();
    this.aim = 0;
    this.kept = null;
  }
}
