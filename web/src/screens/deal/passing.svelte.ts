/** One turn with a phone that is passed round: the same taps and the same times, whatever is on the card. */

/** Milliseconds: the phone is not passed on earlier, and the card hides itself at the end. */
export const LOOK_LEAST = 5_000;
export const LOOK_MOST = 20_000;

export class Turn {
  /** The phone is on its way, lies in its owner's hand, shows the card, or has hidden it again. */
  step = $state<'pass' | 'cover' | 'shown' | 'hidden'>('pass');
  mayPassOn = $state(false);

  private timers: ReturnType<typeof setTimeout>[] = [];

  takeUp(): void {
    if (this.step === 'pass') this.step = 'cover';
  }

  show(): void {
    if (this.step !== 'cover') return;
    this.step = 'shown';
    this.timers = [
      setTimeout(() => (this.mayPassOn = true), LOOK_LEAST),
      setTimeout(() => (this.step = 'hidden'), LOOK_MOST),
    ];
  }

  /** Hides the card, and waits for the next owner; from the beginning, too, when the phone was put to sleep. */
  end(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
    this.step = 'pass';
    this.mayPassOn = false;
  }
}
