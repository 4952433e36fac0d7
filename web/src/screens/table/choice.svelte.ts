/** What is being chosen at the table, before it is sent: seats that were tapped, which call, which quest. */
export class Choice {
  picked = $state<number[]>([]);
  /** Which of several kinds of move: a call of Merlin or of the Lovers. */
  aim = $state(0);
  /** Which of the quests that may be chosen. */
  quest = $state(0);
  excalibur = $state<number | null>(null);
  /** Whom a seat without a night action has tapped; it is not sent. */
  dream = $state<number | null>(null);

  /** Toggles a seat; beyond the limit the first choice is dropped. */
  tap(seat: number, limit: number): void {
    this.picked = this.picked.includes(seat)
      ? this.picked.filter((one) => one !== seat)
      : [...this.picked, seat].slice(-limit);
    if (this.excalibur !== null && !this.picked.includes(this.excalibur)) this.excalibur = null;
  }

  /** Drops choices that are no longer allowed, for example after a declaration. */
  store(seats: readonly number[]): void {
    if (this.picked.some((seat) => !seats.includes(seat)))
      this.picked = this.picked.filter((seat) => seats.includes(seat));
  }

  clear(): void {
    this.picked = [];
    this.excalibur = null;
  }

  restart(): void {
    this.clear();
    this.aim = this.quest = 0;
    this.dream = null;
  }
}
