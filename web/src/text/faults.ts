/** Refusals as sentences. */
import type { Fault } from '../protocol/fault';
import { gameText, language, list, term } from './language.svelte';
import type { Values } from './messages';

/** The server's own sentence; when the page has another language by now, the same sentence from the catalogues. */
export function sentence(fault: Fault): string {
  const { code, message } = fault;
  const key = code.replace('/', '.');
  if (code.startsWith('web/')) return gameText('', `fault.${key}`) ?? message;
  const isCurrent = message && fault.language === language.now;
  return (isCurrent ? message : translated(`refusal.${key}`, fault)) ?? (message || code);
}

function translated(key: string, { variant, details }: Fault): string | undefined {
  const found = gameText('', variant ? `${key}_${variant}` : key, spoken(details));
  return found?.includes('{{') ? undefined : found;
}

/** Roles and sides by the names that players know; lists as the language joins them. */
function spoken(details: Record<string, unknown>): Values {
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, shown(value)]));
}

function shown(value: unknown): string | number {
  if (Array.isArray(value)) return list(value.map((one) => String(shown(one))));
  return typeof value === 'number' ? value : term(String(value));
}
