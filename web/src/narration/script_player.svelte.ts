/** Plays a narrator's script: says a line, waits as long as it tells, goes on; stops where a person has to decide. */
import type { Step } from './script_steps';

/** `waiting`: for a tap, before a part begins or a line that may not apply. */
export type PlayerState = 'waiting' | 'speaking' | 'pausing' | 'paused' | 'done';

/** Says a line on this device; resolves when it has been said, or read where the device is silent. */
export type SayLine = (text: string) => Promise<unknown>;

const TICK = 200; // milliseconds between two looks at the clock

export class ScriptPlayer {
  place = $state(0);
  state = $state<PlayerState>('waiting');
  /** Milliseconds of the pause that are left. */
  left = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts what was begun, so that the end of a line that was broken off means nothing. */
  private turn = 0;

  constructor(
    readonly steps: readonly Step[],
    private readonly say: SayLine,
    private readonly hush: () => void = () => {},
  ) {}

  get step(): Step | undefined {
    return this.steps[this.place];
  }

  get isRunning(): boolean {
    return this.state === 'speaking' || this.state === 'pausing';
  }

  /** Whether the cover sound plays: from the first closed eye to the last, also while the script is paused. */
  get isDark(): boolean {
    const isEntered = this.state !== 'waiting' || (this.steps[this.place - 1]?.isDark ?? false);
    return isEntered && this.state !== 'done' && (this.step?.isDark ?? false);
  }

  /** Begins, goes on after a pause, or says the line that waits for a tap. */
  play(): void {
    if (this.state === 'done') this.place = 0;
    if (this.state === 'paused' && this.left > 0) return this.wait(this.left);
    this.begin();
  }

  pause(): void {
    if (!this.isRunning) return;
    const left = this.state === 'pausing' ? this.left : 0;
    this.quiet();
    this.left = left;
    this.state = 'paused';
  }

  /** The same line once more, and its whole pause. */
  repeat(): void {
    if (this.state !== 'done') this.begin();
  }

  next(): void {
    this.quiet();
    this.arrive(this.place + 1);
  }

  back(): void {
    this.quiet();
    this.place = Math.max(0, this.place - (this.state === 'done' ? 0 : 1));
    this.begin();
  }

  goTo(place: number): void {
    this.quiet();
    this.place = place;
    this.state = 'waiting';
    if (!this.step?.isByHand) this.begin();
  }

  stop(): void {
    this.quiet();
    this.state = 'waiting';
  }

  private begin(): void {
    this.quiet();
    const { step, turn } = this;
    if (!step) return;
    if (step.hasBlank) return this.wait(step.pause * 1000); // a person says it
    this.state = 'speaking';
    void this.say(step.text).then(() => {
      if (turn === this.turn) this.wait(step.pause * 1000);
    });
  }

  private wait(milliseconds: number): void {
    this.state = 'pausing';
    this.left = milliseconds;
    const endsAt = Date.now() + milliseconds;
    const tick = () => {
      this.left = Math.max(0, endsAt - Date.now());
      if (this.left === 0) this.arrive(this.place + 1);
      else this.timer = setTimeout(tick, Math.min(TICK, this.left));
    };
    clearTimeout(this.timer);
    tick();
  }

  /** At a new part, and at a line that may not apply, waits for a tap. */
  private arrive(place: number): void {
    const before = this.step;
    if (place >= this.steps.length) {
      this.state = 'done';
      return;
    }
    this.place = place;
    this.left = 0;
    if (this.step?.isByHand || this.step?.part !== before?.part) this.state = 'waiting';
    else this.begin();
  }

  private quiet(): void {
    this.turn += 1;
    clearTimeout(this.timer);
    this.left = 0;
    this.hush();
  }
}
