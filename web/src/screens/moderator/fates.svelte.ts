/** What became of each seat, as a moderator marks it; kept by this browser for one game. */
import { store, stored } from '../../protocol/storage';

export const FATES = ['alive', 'killed', 'eliminated', 'saved'] as const;
export type Fate = (typeof FATES)[number];

export class SeatFates {
  private fates = $state.raw<Readonly<Record<number, Fate>>>({});

  constructor(
    private readonly code: string,
    private readonly game: number,
  ) {
    const [kept, fates] = (stored(`moderator.${code}`) ?? '').split(' ');
    if (Number(kept) === game && fates) this.fates = read(fates);
  }

  of(seat: number): Fate {
    return this.fates[seat] ?? 'alive';
  }

  mark(seat: number, fate: Fate): void {
    this.fates = { ...this.fates, [seat]: fate };
    const text = Object.entries(this.fates)
      .map(([place, one]) => `${place}:${one}`)
      .join(',');
    store(`moderator.${this.code}`, `${this.game} ${text}`);
  }
}

function read(text: string): Record<number, Fate> {
  const fates: Record<number, Fate> = {};
  for (const one of text.split(',')) {
    const [seat, fate] = one.split(':');
    const known = FATES.find((one) => one === fate);
    if (known) fates[Number(seat)] = known;
  }
  return fates;
}
