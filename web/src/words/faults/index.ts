import type { Fault } from '../../wire/fault';
import { language } from '../speak.svelte';
import { en } from './en';
import { vi } from './vi';

/** A refusal as a sentence. The server's own names what it is about, but speaks English. */
export function sentence(fault: Fault): string {
  const known: Record<string, string> = language.now === 'vi' ? vi : en;
  const own = language.now === 'en' && !fault.code.startsWith('web/') ? fault.message : '';
  return own || known[fault.code] || fault.message;
}
