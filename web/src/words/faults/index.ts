import type { Fault } from '../../wire/fault';
import { filled, language } from '../speak.svelte';
import { term } from '../terms';
import { en } from './en';
import { vi } from './vi';

/** A refusal as a sentence. The server's own names what it is about, but speaks English; `told` says it in ours. */
export function sentence(fault: Fault): string {
  const known: Record<string, string> = language.now === 'vi' ? vi : en;
  const own = language.now === 'en' && !fault.code.startsWith('web/') ? fault.message : '';
  const detailed = Object.keys(fault.told).length ? known[`told:${fault.code}`] : undefined;
  if (detailed && !own) return filled(detailed, spoken(fault.told));
  return own || known[fault.code] || fault.message;
}

/** Sides and options by the names that players know. */
function spoken(told: Record<string, unknown>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(told).map(([name, one]) => [name, typeof one === 'number' ? one : term(String(one))]),
  );
}
