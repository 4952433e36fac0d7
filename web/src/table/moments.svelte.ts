/** What has just happened and is worth a look: votes turned up, cards turned one by one, a dawn, a shot. */
import type { Event, Heard } from '../wire/messages';

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
  private next: Moment | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** What is heard for the first time; those who come back are shown the last of what they missed, and nothing else. */
  note(events: readonly Heard[]): void {
    for (const { event } of events) {
      if (!isMoment(event)) continue;
      if (!this.now || this.now.is === 'VotesCounted') this.show(event);
      else if (this.next?.is !== 'QuestResolved' || event.is !== 'VotesCounted') this.next = event;
    }
  }

  get isOver(): boolean {
    return this.now !== null && this.turned >= steps(this.now);
  }

  /** Whether the result of this quest is not to be given away yet. */
  hides(quest: number): boolean {
    const waits = [this.now, this.next].filter((one) => one?.is === 'QuestResolved');
    return waits.some(
      (one) => one?.is === 'QuestResolved' && one.quest === quest && !(one === this.now && this.isOver),
    );
  }

  /** A tap: all cards at once, and another one: on with the game. */
  skip(): void {
    if (!this.now) return;
    if (this.isOver) this.finish();
    else {
      this.turned = steps(this.now);
      this.wait(LINGER, () => this.finish());
    }
  }

  clear(): void {
    clearTimeout(this.timer);
    this.now = this.next = null;
  }

  private show(moment: Moment): void {
    this.now = moment;
    this.turned = prefersStillness() ? steps(moment) : 0;
    this.turn();
  }

  private turn(): void {
    if (this.isOver) this.wait(LINGER, () => this.finish());
    else
      this.wait(TURN, () => {
        this.turned += 1;
        this.turn();
      });
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
