/** Under which address others find the server: the page's own, unless it was opened on the machine that serves it. */
import { address } from './api';

const HERE = ['localhost', '127.0.0.1', '[::1]'];
const isHere = (origin: string) => HERE.includes(new URL(origin).hostname);

let found = $state<string | null>(null);
let isAsked = false;

export const reach = {
  get origin(): string {
    return found ?? location.origin;
  },
  /** Where to type a code. */
  get host(): string {
    return reach.origin.replace(/^https?:\/\//, '');
  },
  link: (code: string): string => `${reach.origin}/r/${code}`,
  get isOnlyHere(): boolean {
    return isHere(reach.origin);
  },
  /** Ask the server, which knows its address in the network. */
  look(): void {
    if (isAsked || !isHere(location.origin)) return;
    isAsked = true;
    address().then(
      (told) => (found = isHere(told.address) ? null : told.address),
      () => (isAsked = false),
    );
  },
};
