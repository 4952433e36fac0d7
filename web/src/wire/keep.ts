/** What this browser remembers: a name, a language, and a token for each room. Without storage, until it is closed. */
import { newToken } from './ids';

const PREFIX = 'roundtable.';
const inMemory = new Map<string, string>();

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return inMemory.get(name) ?? null;
  }
}

export function keep(name: string, text: string): void {
  inMemory.set(name, text);
  try {
    localStorage.setItem(PREFIX + name, text);
  } catch {
    // a private window may keep nothing
  }
}

function forget(name: string): void {
  inMemory.delete(name);
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // nothing was kept
  }
}

export const tokenFor = (code: string) => kept(`token.${code}`);
export const forgetToken = (code: string) => forget(`token.${code}`);

export function keepToken(code: string, token: string): void {
  keep(`token.${code}`, token);
  forget(`joining.${code}`);
}

/** The token to join a room with: the same until we are in, so that whoever asks again does not come twice. */
export function tokenToJoin(code: string): string {
  const token = kept(`joining.${code}`) ?? newToken();
  keep(`joining.${code}`, token);
  return token;
}
