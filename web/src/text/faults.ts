/** Refusals as sentences, by their code (docs/errors.md). */
import type { Fault } from '../protocol/fault';
import { gameText, language, term } from './language.svelte';
import type { Values } from './messages';

const LONGEST_MESSAGE = 500; // docs/protocol.md

/** The server's own sentence says most, but it is English; other languages have a sentence for each code. */
export function sentence({ code, message, details }: Fault): string {
  const isOurs = code.startsWith('web/');
  if (language.now === 'en' && !isOurs && message) return message;
  const key = code.replace('/', '.');
  const values = { most: LONGEST_MESSAGE, ...spoken(details) };
  const detailed = isOurs || Object.keys(details).length ? gameText('', `fault.${key}`, values) : undefined;
  return detailed ?? gameText('', `refusal.${key}`, values) ?? message;
}

/** Sides and options by the names that players know. */
function spoken(details: Record<string, unknown>): Values {
  return Object.fromEntries(
    Object.entries(details).map(([name, one]) => [name, typeof one === 'number' ? one : term(String(one))]),
  );
}
