/** Chat during a game: channels, messages, unread counts, and muted players. */
import type { Live } from '../../table/live.svelte';
import { store, stored } from '../../protocol/storage';
import type { Event } from '../../protocol/messages';
import { uiOf } from '../../games';

export type Message = { number: number; event: Extract<Event, { is: 'Said' | 'Remarked' }> };

export class Talk {
  channel = $state('table');
  muted = $state<number[]>([]);
  private seen = $state<Record<string, number>>({});
  private readonly from: number; // earlier messages count as read

  constructor(private readonly live: Live) {
    this.muted = (stored(this.place) ?? '').split(',').filter(Boolean).map(Number);
    this.from = live.heard.at(-1)?.number ?? 0;
  }

  /** The channels that this seat hears, or that it must seem to hear. */
  get channels(): string[] {
    const { view, seat, game } = this.live;
    return view ? uiOf(game).channels(view, seat) : [];
  }

  private get secret(): string | undefined {
    return uiOf(this.live.game).secretChannel;
  }

  /** Leaves the secret channel, so that a neighbour cannot read it when the next phase begins. */
  closeSecrets(): void {
    if (this.channel === this.secret) this.channel = 'table';
  }

  maySpeak(channel: string): boolean {
    return this.live.view?.floors[channel]?.speakers.includes(this.live.seat) ?? false;
  }

  lines(channel: string): Message[] {
    return this.all.filter(({ event }) => event.channel === channel && !this.muted.includes(event.seat));
  }

  /** The unread count that is shown openly. */
  unread(channel: string): number {
    return channel === this.secret ? 0 : this.missed(channel);
  }

  /** Unread messages of the secret channel: shown only while the role is held. */
  get whispers(): number {
    return this.secret ? this.missed(this.secret) : 0;
  }

  private missed(channel: string): number {
    const seen = this.seen[channel] ?? this.from;
    return this.lines(channel).filter(({ number, event }) => number > seen && event.seat !== this.live.seat)
      .length;
  }

  get unreadAtAll(): number {
    return this.channels.reduce((sum, channel) => sum + this.unread(channel), 0);
  }

  read(channel: string): void {
    const latest = this.live.heard.at(-1)?.number ?? 0;
    if ((this.seen[channel] ?? this.from) < latest) this.seen[channel] = latest;
  }

  mute(seat: number, isMuted: boolean): void {
    this.muted = isMuted ? [...this.muted, seat] : this.muted.filter((one) => one !== seat);
    store(this.place, this.muted.join());
  }

  private get all(): Message[] {
    return this.live.heard.flatMap(({ number, event }) =>
      event.is === 'Said' || event.is === 'Remarked' ? [{ number, event }] : [],
    );
  }

  private get place(): string {
    return `muted.${this.live.room?.code ?? ''}.${this.live.room?.number ?? 0}`;
  }
}
