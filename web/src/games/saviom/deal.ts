/** Who gets which card in Saviom, from the stream of a table (S2, S3); the tables are those of the rules. */
import type { Dealing } from '../game';
import TABLES from '../generated/saviom.json';
import { handedOut } from '../parts/handed_out';
import type { SaviomSetup } from './view';

const CARDS: Record<SaviomSetup['mode'], Record<number, string[]>> = TABLES.cards;

export const dealing: Dealing = {
  repeat(setup, chance) {
    const { mode, seats } = setup as SaviomSetup;
    return { roles: chance.shuffled(CARDS[mode][seats] ?? []) };
  },
  handedOut,
  agrees: () => true, // roles are all that is dealt
};
