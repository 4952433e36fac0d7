/** Candle light or day light: as the device has it, until somebody chooses. */
import { keep, kept } from './wire/keep';

type Theme = 'dark' | 'light';

function guess(): Theme {
  const chosen = kept('theme');
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

let current = $state<Theme>(guess());

export const look = {
  get theme(): Theme {
    return current;
  },
  change(): void {
    current = current === 'dark' ? 'light' : 'dark';
    keep('theme', current);
  },
};
