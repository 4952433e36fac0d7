/** Events that are shown with an animation: votes, cards one by one, a dawn, a shot. */
import type { Reveal, Reveals } from '../games/game';
import type { Event } from '../protocol/messages';

const TURN = 800; // between two cards
const LINGER = 2_600; // how long the result stays

export class Moments {
  now = $state.raw<Event | null>(null);
  /** How many cards of it are turned; everything once it is more than there are. */
  turned = $state(0);
  private next = $state.raw<Event | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `reveals` are those of the game; `known` is called when the last card is revealed. */
  constructor(
    private readonly reveals: () => Reveals,
    private readonly known: () => void = () => {},
  ) {}

  /** How the game shows this event; undefined where it does not. */
  revealOf(event: Event): Reveal | undefined {
    return this.reveals()[event.is];
  }

  /** New events; of those received late only the last is shown, fully revealed. */
  note(events: readonly Event[], isLate = false): void {
    for (const event of events) {
      const reveal = this.revealOf(event);
      if (!reveal) continue;
      if (!this.now || this.revealOf(this.now)?.isBrief || isLate) this.show(event, isLate);
      else if (!reveal.isBrief || !this.next || !this.revealOf(this.next)?.steps) this.next = event;
    }
  }

  get isOver(): boolean {
    return this.now !== null && this.turned >= this.steps(this.now);
  }

  /** What is being revealed, without its result. */
  status(game: string): string {
    const shown = this.now && !this.isOver ? this.now : (this.next ?? this.now);
    return (shown && this.revealOf(shown)?.status?.(shown, game)) ?? '';
  }

  /** Whether a reveal is under way, so that nothing may give away its result. */
  get isTense(): boolean {
    return (this.now !== null && !this.isOver) || (this.next !== null && this.steps(this.next) > 0);
  }

  /** A tap reveals all cards; the next one ends the animation. */
  skip(): void {
    if (this.isOver) this.finish();
    else if (this.now) this.show(this.now, true);
  }

  /** Reveals everything at once. */
  hurry(): void {
    const last = this.next ?? this.now;
    this.next = null;
    if (last) this.show(last, true);
    else this.known();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.now = this.next = null;
  }

  private show(moment: Event, isTurned = false): void {
    this.now = moment;
    this.turned = isTurned ? this.steps(moment) : 0;
    this.turn();
  }

  private turn(): void {
    if (!this.isOver) {
      this.wait(TURN, () => {
        this.turned += 1;
        this.turn();
      });
      return;
    }
    this.wait(LINGER, () => this.finish());
    if (!this.isTense) this.known();
  }

  private finish(): void {
    clearTimeout(this.timer);
    const { next } = this;
    this.now = this.next = null;
    if (next) this.show(next);
  }

  private wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(then, milliseconds);
  }

  /** How many times something is turned before the result is seen. */
  private steps(moment: Event): number {
    return prefersStillness() ? 0 : (this.revealOf(moment)?.steps?.(moment) ?? 0);
  }
}

function prefersStillness(): boolean {
  return typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}
