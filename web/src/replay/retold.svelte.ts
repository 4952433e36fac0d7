/** A table that is told out of a record instead of over a line; a board cannot tell the difference. */
import { Live } from '../table/live.svelte';
import { isMoment } from '../table/moments.svelte';
import type { Heard, Room, Welcome } from '../wire/messages';
import type { Eyes, Replayed, Step } from '../wire/replay';
import type { Line } from '../wire/socket';

const SILENT = { open() {}, close() {} } as unknown as Line;

export class Retold extends Live {
  constructor(replay: Replayed, eyes: Eyes) {
    super('', null, () => SILENT);
    const setup = replay.steps[0]?.view.setup as Welcome['setup'];
    const seat = typeof eyes === 'number' ? eyes : -1;
    this.room = { quests: replay.quests, seats: [], members: [] } as unknown as Room; // all that a board asks for
    this.welcome = { is: 'Welcome', protocol: 1, game: replay.game, seat, setup, names: [...replay.names] };
  }

  /** Stand where the table stood after this step. */
  show(steps: readonly Step[], place: number): void {
    const events = steps.slice(0, place + 1).flatMap((step) => step.events);
    this.heard = events.map((event, index): Heard => ({ is: 'Heard', number: index + 1, event }));
    this.view = steps[place]?.view ?? null;
    this.over = this.view?.outcome ?? null;
    this.moments.now = steps[place]?.events.filter(isMoment).at(-1) ?? null;
    this.moments.turned = Number.MAX_SAFE_INTEGER; // whoever steps has waited long enough
  }
}
