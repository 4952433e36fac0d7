/** The narrator of the game on this page, which goes on speaking while its controls are closed. */
import { LiveLines } from './live_lines.svelte';
import { narrator } from './narrator.svelte';

export const liveLines = new LiveLines((text) => (narrator.isOn ? narrator.say(text) : Promise.resolve()));

let isOpen = $state(false);
/** The sheet with its controls. */
export const narratorSheet = {
  get isOpen(): boolean {
    return isOpen;
  },
  open: (): void => void (isOpen = true),
  close: (): void => void (isOpen = false),
};
