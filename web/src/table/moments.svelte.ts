/** Events that are shown with an animation: votes, cards one by one, a dawn, a shot. */
import type { Event } from '../protocol/messages';

const WORTH_A_LOOK = [
  'VotesCounted',
  'QuestResolved',
  'VerdictsCounted',
  'NightEnded',
  'MerlinShot',
  'TargetCalled',
  'ArthurDeclared',
  'AgravaineDeclared',
] as const;
type Kind = (typeof WORTH_A_LOOK)[number];
export type Moment = Extract<Event, { is: Kind }>;

const TURN = 800; // between two cards
const LINGER = 2_600; // how long the result stays
export const isMoment = (event: Event): event is Moment =>
  (WORTH_A_LOOK as readonly string[]).includes(event.is);

export class Moments {
  now = $state.raw<Moment | null>(null);
  /** How many cards of it are turned; everything once it is more than there are. */
  turned = $state(0);
  private next = $state.raw<Moment | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `known` is called when the last card is revealed. */
  constructor(private readonly known: () => void = () => {}) {}

  /** New events; of those received late only the last is shown, fully revealed. */
  note(events: readonly Event[], isLate = false): void {
    for (const event of events) {
      if (!isMoment(event)) continue;
      if (!this.now || this.now.is === 'VotesCounted' || isLate) this.show(event, isLate);
      else if (this.next?.is !== 'QuestResolved' || event.is !== 'VotesCounted') this.next = event;
    }
  }

  get isOver(): boolean {
    return this.now !== null && this.turned >= steps(this.now);
  }

  /** Whether a reveal is under way, so that nothing may give away its result. */
  get isTense(): boolean {
    return (this.now !== null && !this.isOver) || (this.next !== null && steps(this.next) > 0);
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

  private show(moment: Moment, isTurned = false): void {
    this.now = moment;
    this.turned = isTurned ? steps(moment) : 0;
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
}

/** How many times something is turned before the result is seen. */
export function steps(moment: Moment): number {
  if (prefersStillness()) return 0;
  switch (moment.is) {
    case 'QuestResolved':
      return moment.team.length + 1;
    case 'MerlinShot':
    case 'TargetCalled':
      return 2;
    default:
      return 0;
  }
}

function prefersStillness(): boolean {
  return typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;
}
