/** A clock for a moderator: it counts down, pauses, and takes more time; no server takes part, and this browser keeps it. */
import { forget, store, stored } from '../../protocol/storage';

const TICK = 200; // milliseconds

export class HandClock {
  /** Milliseconds that are left. */
  left = $state(0);
  isRunning = $state(false);
  /** Whether it has run out, until it is set again. */
  isUp = $state(false);
  private endsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ring: () => void = () => {},
    private readonly name = '',
  ) {
    this.goOn();
  }

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
    this.keep();
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
    else this.keep();
  }

  /** The page is left: the clock runs on unseen, and is found again. */
  leave(): void {
    clearTimeout(this.timer);
  }

  /** Where the page before left it; a clock that has run out since then does not ring. */
  private goOn(): void {
    const [how, at] = (this.name && stored(this.name)?.split(' ')) || [];
    const until = Number(at);
    if (!(until > 0)) return;
    this.left = how === 'until' ? Math.max(0, until - Date.now()) : until;
    if (how !== 'until') return;
    this.isUp = this.left === 0;
    if (this.isUp) forget(this.name);
    else this.run();
  }

  private keep(): void {
    if (!this.name) return;
    if (this.isRunning) store(this.name, `until ${this.endsAt}`);
    else if (this.left > 0) store(this.name, `paused ${this.left}`);
    else forget(this.name);
  }

  private run(): void {
    clearTimeout(this.timer);
    this.endsAt = Date.now() + this.left;
    this.isRunning = true;
    this.keep();
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
    this.keep();
    this.ring();
  }
}
