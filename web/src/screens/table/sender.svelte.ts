/** Sends moves and requests one at a time, and keeps the last refusal. */
import type { Live } from '../../table/live.svelte';
import { faultOf, type Fault } from '../../protocol/fault';
import type { Action, Request } from '../../protocol/messages';

const SETTLE = 350; // a tap on a button that has just appeared is ignored for this long

export class Sender {
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

  /** A new phase: ignores taps until the player has seen it. */
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
