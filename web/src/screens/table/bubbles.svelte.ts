/** Speech bubbles: what a player has just said, beside their seat for a while. */
import type { Live } from '../../table/live.svelte';
import { claimed } from '../../text/phrases';
import type { Talk } from './talk.svelte';

const A_WHILE = 6_000;

export class Bubbles {
  said = $state<Record<number, string>>({});
  private heard: number;

  constructor(
    private readonly live: Live,
    private readonly talk: Talk,
  ) {
    this.heard = live.heard.at(-1)?.number ?? 0; // earlier messages are in the chat
  }

  /** Adds what was said since the last call. */
  hear(): void {
    const news = this.live.heard.filter(({ number }) => number > this.heard);
    this.heard = this.live.heard.at(-1)?.number ?? 0;
    for (const { event } of news) {
      if ((event.is !== 'Said' && event.is !== 'Remarked') || event.channel !== 'table') continue;
      if (this.talk.muted.includes(event.seat)) continue;
      this.show(event.seat, event.is === 'Said' ? event.text : claimed(this.live, event));
    }
  }

  private show(seat: number, text: string): void {
    this.said[seat] = text;
    setTimeout(() => this.said[seat] === text && (this.said[seat] = ''), A_WHILE);
  }
}
