/** What THavalon shows of a table, and what a table agreed on. */
import type { components } from '../../protocol/generated/messages';

export type ThavalonView = components['schemas']['thavalon.ThavalonState'];
export type ThavalonSetup = components['schemas']['thavalon.ThavalonSetup'];
