/** Randomness that can be checked: everything follows from one seed by HMAC-SHA-256 (docs/fair-deals.md).
 *
 * WebCrypto is missing over plain HTTP in a home network, so this does without it everywhere.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, hexOf } from './bytes';

const WORDS = 2 ** 32;
const utf8 = new TextEncoder();

export type Contribution = { seat: number; entropy: string };

const mac = (key: Uint8Array, text: string) => hmac(sha256, key, utf8.encode(text));

export const digest = (text: string) => hexOf(sha256(utf8.encode(text)));

/** Canonical JSON: sorted keys, no blanks. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${parts.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`;
}

export const commitmentTo = (seed: string) => hexOf(mac(bytesOf(seed), 'roundtable/1/commitment'));

export function dealKey(seed: string, setup: unknown, contributions: readonly Contribution[]): Uint8Array {
  const inOrder = [...contributions].sort((one, other) => one.seat - other.seat);
  const joined = inOrder.map(({ seat, entropy }) => `${seat}:${entropy}\n`).join('');
  return mac(bytesOf(seed), `roundtable/1/key\n${canonical(setup)}\n${joined}`);
}

/** The stream of one label: blocks of HMAC(key, label/number), read four bytes at a time. */
export class Stream {
  private block = new DataView(new ArrayBuffer(0));
  private read = 0;
  private number = 0;

  constructor(
    private readonly key: Uint8Array,
    private readonly label: string,
  ) {}

  below(bound: number): number {
    const fair = WORDS - (WORDS % bound); // a word beyond the last whole multiple would favour small numbers
    for (;;) {
      const word = this.word();
      if (word < fair) return word % bound;
    }
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    const order = [...items];
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] as Item, order[last] as Item];
    }
    return order;
  }

  draw<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)[0] as Item);
  }

  private word(): number {
    if (this.read >= this.block.byteLength) {
      const bytes = mac(this.key, `${this.label}/${this.number++}`);
      this.block = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.read = 0;
    }
    this.read += 4;
    return this.block.getUint32(this.read - 4);
  }
}
