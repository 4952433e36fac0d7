/** A `Live` table that is fed from a replay instead of a connection, for the same board. */
import { Live } from '../table/live.svelte';
import type { Heard, Room } from '../protocol/messages';
import type { Eyes, Replayed, Step } from '../protocol/replay';
import type { Connection } from '../protocol/connection';

const SILENT = { open() {}, close() {} } as unknown as Connection;

export class ReplayedTable extends Live {
  constructor(replay: Replayed, eyes: Eyes) {
    super('', null, () => SILENT);
    const seat = typeof eyes === 'number' ? eyes : -1;
    this.room = { rounds: replay.rounds, seats: [], members: [] } as unknown as Room; // all that the board reads
    this.welcome = { is: 'Welcome', protocol: 1, game: replay.game, seat, names: [...replay.names] };
  }

  /** Shows the state after this step. */
  show(steps: readonly Step[], place: number): void {
    const events = steps.slice(0, place + 1).flatMap((step) => step.events);
    this.heard = events.map((event, index): Heard => ({ is: 'Heard', number: index + 1, event }));
    this.view = steps[place]?.view ?? null;
    this.over = this.view?.outcome ?? null;
    const shown = (steps[place]?.events ?? []).filter((event) => this.moments.revealOf(event));
    this.moments.now = shown.at(-1) ?? null;
    this.moments.turned = Number.MAX_SAFE_INTEGER; // a replay shows every card at once
  }
}
