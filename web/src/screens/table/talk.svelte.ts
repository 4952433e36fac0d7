/** Chat during a game: channels, messages, unread counts, and muted players. */
import type { Live } from '../../table/live.svelte';
import { store, stored } from '../../protocol/storage';
import { isSaviom, type Event } from '../../protocol/messages';

export type Line = { number: number; event: Extract<Event, { is: 'Said' | 'Remarked' }> };

const ORDER = ['table', 'wolves', 'evil', 'dead'];
/** Who talks in this channel is secret, and so is that there is talk. */
const SECRET = 'wolves';

export class Talk {
  channel = $state('table');
  muted = $state<number[]>([]);
  private seen = $state<Record<string, number>>({});

  constructor(private readonly live: Live) {
    this.muted = (stored(this.place) ?? '').split(',').filter(Boolean).map(Number);
    const latest = live.heard.at(-1)?.number ?? 0;
    this.seen = Object.fromEntries(ORDER.map((channel) => [channel, latest]));
  }

  /** The channels that this seat hears. In Saviom every living player has the Wolves' tab, so that it gives away no role. */
  get channels(): string[] {
    const { view, seat } = this.live;
    const couldBeWolf = view !== null && isSaviom(view) && view.alive.includes(seat);
    const others = Object.keys(view?.floors ?? {}).filter((channel) => !ORDER.includes(channel));
    return [...ORDER, ...others].filter((channel) => {
      const hearers = view?.floors[channel]?.hearers;
      return hearers === 'everyone' || hearers?.includes(seat) || (couldBeWolf && channel === SECRET);
    });
  }

  /** Leaves the secret channel, so that a neighbour cannot read it when the day begins. */
  closeSecrets(): void {
    if (this.channel === SECRET) this.channel = 'table';
  }

  maySpeak(channel: string): boolean {
    return this.live.view?.floors[channel]?.speakers.includes(this.live.seat) ?? false;
  }

  lines(channel: string): Line[] {
    return this.all.filter(({ event }) => event.channel === channel && !this.muted.includes(event.seat));
  }

  /** The unread count that is shown openly. */
  unread(channel: string): number {
    return channel === SECRET ? 0 : this.missed(channel);
  }

  /** Unread messages of the pack: shown only while the role is held. */
  get whispers(): number {
    return this.missed(SECRET);
  }

  private missed(channel: string): number {
    const seen = this.seen[channel] ?? 0;
    return this.lines(channel).filter(({ number, event }) => number > seen && event.seat !== this.live.seat)
      .length;
  }

  get unreadAtAll(): number {
    return this.channels.reduce((sum, channel) => sum + this.unread(channel), 0);
  }

  read(channel: string): void {
    const latest = this.live.heard.at(-1)?.number ?? 0;
    if ((this.seen[channel] ?? 0) < latest) this.seen[channel] = latest;
  }

  mute(seat: number, isMuted: boolean): void {
    this.muted = isMuted ? [...this.muted, seat] : this.muted.filter((one) => one !== seat);
    store(this.place, this.muted.join());
  }

  private get all(): Line[] {
    return this.live.heard.flatMap(({ number, event }) =>
      event.is === 'Said' || event.is === 'Remarked' ? [{ number, event }] : [],
    );
  }

  private get place(): string {
    return `muted.${this.live.room?.code ?? ''}.${this.live.room?.number ?? 0}`;
  }
}
