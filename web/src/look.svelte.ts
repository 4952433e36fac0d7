/** Candle light or day light: as the device has it, unless somebody has chosen. */
import { keep, kept } from './wire/keep';

export type Look = 'auto' | 'dark' | 'light';
const LOOKS: readonly Look[] = ['auto', 'dark', 'light'];
const daylight = matchMedia('(prefers-color-scheme: light)');

let chosen = $state<Look>(LOOKS.find((one) => one === kept('theme')) ?? 'auto');
let isDay = $state(daylight.matches);
daylight.addEventListener('change', (change) => (isDay = change.matches));

export const look = {
  get chosen(): Look {
    return chosen;
  },
  get theme(): 'dark' | 'light' {
    return chosen === 'auto' ? (isDay ? 'light' : 'dark') : chosen;
  },
  change(): void {
    chosen = LOOKS[(LOOKS.indexOf(chosen) + 1) % LOOKS.length] ?? 'auto';
    keep('theme', chosen);
  },
};
