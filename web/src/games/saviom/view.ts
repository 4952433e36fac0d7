/** What Saviom shows of a table, and what a table agreed on. */
import type { components } from '../../protocol/generated/messages';

export type SaviomView = components['schemas']['saviom.SaviomState'];
export type SaviomSetup = components['schemas']['saviom.SaviomSetup'];

/** Whether a seat has chosen tonight, whatever its role chooses. */
export const hasChosen = (view: SaviomView, seat: number): boolean =>
  [view.hunts, view.protections, view.inspections, view.suspicions].some((one) => one[seat] !== undefined);
