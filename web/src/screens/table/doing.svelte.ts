/** What we do at the table: sent once, however impatient the thumb, and refused in a sentence. */
import type { Live } from '../../table/live.svelte';
import { faultOf, type Fault } from '../../wire/fault';
import type { Action, Request } from '../../wire/messages';

const SETTLE = 350; // a button that has just appeared under a finger is not pressed by it

export class Doing {
  fault = $state.raw<Fault | null>(null);
  isBusy = $state(false);
  isSettling = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly live: Live) {}

  async act(action: Action): Promise<boolean> {
    if (this.isSettling) return false;
    return this.done(() => this.live.act(action));
  }

  ask(request: Request): Promise<boolean> {
    return this.done(() => this.live.ask(request));
  }

  /** Another phase: what is offered now has not been seen yet. */
  settle(): void {
    this.isSettling = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.isSettling = false), SETTLE);
  }

  private async done(send: () => Promise<void>): Promise<boolean> {
    if (this.isBusy) return false;
    this.fault = null;
    this.isBusy = true;
    try {
      await send();
      return true;
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}
