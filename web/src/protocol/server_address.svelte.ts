/** The address to invite others to: the page's own, or the server's network address on a page at localhost. */
import { address } from './api';

const HERE = ['localhost', '127.0.0.1', '[::1]'];
const isHere = (origin: string) => HERE.includes(new URL(origin).hostname);

let found = $state<string | null>(null);
let isAsked = false;

export const serverAddress = {
  get origin(): string {
    return found ?? location.origin;
  },
  /** The host name, where players enter a code. */
  get host(): string {
    return serverAddress.origin.replace(/^https?:\/\//, '');
  },
  link: (code: string): string => `${serverAddress.origin}/r/${code}`,
  get isOnlyHere(): boolean {
    return isHere(serverAddress.origin);
  },
  /** Asks the server for its network address. */
  look(): void {
    if (isAsked || !isHere(location.origin)) return;
    isAsked = true;
    address().then(
      (answer) => (found = isHere(answer.address) ? null : answer.address),
      () => (isAsked = false),
    );
  },
};
