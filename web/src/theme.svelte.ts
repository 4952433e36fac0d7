/** Dark or light theme: dark, unless the player has chosen light or the device's. */
import { store, stored } from './protocol/storage';

export type Look = 'auto' | 'dark' | 'light';
export const LOOKS: readonly Look[] = ['dark', 'light', 'auto'];
const daylight = matchMedia('(prefers-color-scheme: light)');

let chosen = $state<Look>(LOOKS.find((one) => one === stored('theme')) ?? 'dark');
let isDay = $state(daylight.matches);
daylight.addEventListener('change', (change) => (isDay = change.matches));

export const look = {
  get chosen(): Look {
    return chosen;
  },
  get theme(): 'dark' | 'light' {
    return chosen === 'auto' ? (isDay ? 'light' : 'dark') : chosen;
  },
  choose(wanted: Look): void {
    chosen = wanted;
    store('theme', chosen);
  },
};
