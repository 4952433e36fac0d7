/** Refusals as sentences. */
import type { Fault } from '../protocol/fault';
import { gameText } from './language.svelte';

/** The server's own sentence, which is in the language of the page; without one, a sentence by code (docs/errors.md). */
export function sentence({ code, message }: Fault): string {
  const key = code.replace('/', '.');
  if (code.startsWith('web/')) return gameText('', `fault.${key}`) ?? message;
  return message || (gameText('', `refusal.${key}`) ?? code);
}
