/** A clock for a moderator: it counts down, pauses, and takes more time; no server takes part. */
const TICK = 200; // milliseconds

export class HandClock {
  /** Milliseconds that are left. */
  left = $state(0);
  isRunning = $state(false);
  /** Whether it has run out, until it is set again. */
  isUp = $state(false);
  private endsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ring: () => void = () => {}) {}

  get seconds(): number {
    return Math.ceil(this.left / 1000);
  }

  start(seconds: number): void {
    this.left = seconds * 1000;
    this.isUp = false;
    this.run();
  }

  pause(): void {
    if (!this.isRunning) return;
    this.look();
    clearTimeout(this.timer);
    this.isRunning = false;
  }

  resume(): void {
    if (!this.isRunning && this.left > 0) this.run();
  }

  /** More time, also when it has run out. */
  extend(seconds: number): void {
    if (this.isUp) return this.start(seconds);
    if (this.left === 0) return;
    if (this.isRunning) this.look();
    this.left += seconds * 1000;
    if (this.isRunning) this.run();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.isRunning = false;
    this.left = 0;
    this.isUp = false;
  }

  private run(): void {
    clearTimeout(this.timer);
    this.endsAt = Date.now() + this.left;
    this.isRunning = true;
    this.tick();
  }

  private look(): void {
    this.left = Math.max(0, this.endsAt - Date.now());
  }

  private tick(): void {
    this.look();
    if (this.left > 0) {
      this.timer = setTimeout(() => this.tick(), Math.min(TICK, this.left));
      return;
    }
    this.isRunning = false;
    this.isUp = true;
    this.ring();
  }
}
