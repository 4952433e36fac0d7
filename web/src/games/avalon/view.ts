/** What Avalon shows of a table, and what a table agreed on. */
import type { components } from '../../protocol/generated/messages';

export type AvalonView = components['schemas']['avalon.AvalonState'];
export type AvalonSetup = components['schemas']['avalon.AvalonSetup'];
