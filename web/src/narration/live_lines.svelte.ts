/** What a narrator says in a game that is played on the phones: from public events alone, when the screens show them. */
import { announce, uiOf } from '../games';
import type { Table } from '../games/game';
import type { Event, Heard, View } from '../protocol/messages';
import { isLooking } from '../screens/table/looking';

/** A narrator does not fall behind the game: of a crowd of lines only the last are said. */
const MOST = 3;

/** The line for an event, '' for most. A seat's own knowledge has no part in it. */
export function lineFor(live: Table, view: View, event: Event): string {
  if (event.audience !== 'everyone' || event.is === 'EntropyContributed') return '';
  const ui = uiOf(view.setup.game);
  const table = asBystander(live);
  const own = ui.spoken(table, view, event);
  if (own !== null) return own;
  if (event.is === 'PhaseBegan') return event.number === view.phase.number ? ui.status(table, view) : '';
  return announce(view.setup.game, event, (seat) => live.name(seat));
}

/** The table as someone without a seat sees it. */
const asBystander = (live: Table): Table => ({
  name: (seat) => live.name(seat),
  seat: -1,
  game: live.game,
  room: live.room,
  heard: live.heard.filter(({ event }) => event.audience === 'everyone'),
  asked: null,
});

export class LiveLines {
  /** The line that is said, or was said last. */
  line = $state('');
  private heard: number | null = null;
  private waiting: string[] = [];
  private isSaying = false;

  constructor(private readonly say: (text: string) => Promise<unknown>) {}

  /** New events; what happened before the first call is shown and not said. While players look at their cards nothing
   * is: the first phase is told when they have looked. */
  hear(live: Table, view: View, events: readonly Heard[]): void {
    if (isLooking(live.room)) {
      this.stop();
      this.heard = 0;
      return;
    }
    const { heard } = this;
    const isFresh = heard === null || (events.at(-1)?.number ?? 0) < heard;
    this.heard = events.at(-1)?.number ?? 0;
    const news = isFresh ? events : events.filter(({ number }) => number > heard);
    const lines = news.map(({ event }) => lineFor(live, view, event)).filter(Boolean);
    if (isFresh) {
      this.waiting = [];
      this.line = lines.at(-1) ?? '';
      return;
    }
    this.waiting = [...this.waiting, ...lines].slice(-MOST);
    void this.goOn();
  }

  /** Forgets the game: the next events are of another one. */
  stop(): void {
    this.heard = null;
    this.waiting = [];
    this.line = '';
  }

  /** The last line once more. */
  repeat(): void {
    if (this.isSaying || !this.line) return;
    this.waiting.unshift(this.line);
    void this.goOn();
  }

  private async goOn(): Promise<void> {
    if (this.isSaying) return;
    this.isSaying = true;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.line = next;
      await this.say(next);
    }
    this.isSaying = false;
  }
}
