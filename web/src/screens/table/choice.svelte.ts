/** What is being chosen at the table, before it is sent: seats that were tapped, which call, which quest. */
export class Choice {
  picked = $state<number[]>([]);
  /** Which of several kinds of move: a call of Merlin or of the Lovers. */
  aim = $state(0);
  /** Which of the quests that may be chosen. */
  quest = $state(0);
  excalibur = $state<number | null>(null);
  /** Whom somebody without a part in the night has thought of; nobody else hears of it. */
  dream = $state<number | null>(null);

  /** Tap a seat: in, or out again; of too many the first one tapped goes. */
  tap(seat: number, limit: number): void {
    this.picked = this.picked.includes(seat)
      ? this.picked.filter((one) => one !== seat)
      : [...this.picked, seat].slice(-limit);
    if (this.excalibur !== null && !this.picked.includes(this.excalibur)) this.excalibur = null;
  }

  /** Only these can still be chosen: a declaration may bar somebody who was tapped already. */
  keep(seats: readonly number[]): void {
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
