/**
 * Events and moves as sentences. The name is the key, the fields are the blanks and choose among contexts, as in
 * src/roundtable/text/: `event.team_proposed_excalibur` is the sentence of a proposal in which that field is set.
 */
import SEAT_FIELDS from '../games/generated/seat_fields.json';
import type { EventField } from '../protocol/api';
import { gameText, installedGame, list, t, term } from './language.svelte';
import { nameKey, plainName, wordKey, type Values } from './messages';

export type Naming = (seat: number) => string;
type Value = { is: string };

const UNSHOWN = ['is', 'audience', 'phase'];
/** The sentence of a value; undefined where the catalogue has none. */
export const sentenceOf = (
  game: string,
  section: 'event' | 'move' | 'secret',
  value: Value,
  name: Naming,
  more: Values = {},
): string | undefined => keyed(game, `${section}.${nameKey(value.is)}`, value, name, more);

/** The message of a key about this value, in its most specific context; undefined where there is none. */
export function keyed(
  game: string,
  key: string,
  value: Value,
  name: Naming,
  more: Values = {},
): string | undefined {
  const fields = fieldsOf(game, value);
  const values = { ...blanksOf(game, value, fields, name), ...more };
  for (const context of contextsOf(value, fields)) {
    const found = gameText(game, `${key}_${context}`, values);
    if (found !== undefined) return found;
  }
  return gameText(game, key, values);
}

/** A sentence made of the names of a value and its fields, for a game without text. */
export function plainSentence(game: string, value: Value, name: Naming): string {
  const called = plainName(nameKey(value.is));
  const parts = shownFields(game, value, name).map(([field, shown]) =>
    t('plain.part', { name: field.replaceAll('_', ' '), value: shown }),
  );
  if (!parts.length) return t('plain.bare', { name: called });
  return t('plain.full', { name: called, parts: parts.join(t('list.separator')) });
}

/** The fields of a value by name, each as it is shown. */
export function shownFields(game: string, value: Value, name: Naming): [string, string | number][] {
  const fields = fieldsOf(game, value);
  const blanks = blanksOf(game, value, fields, name);
  return fields.map((field) => [field.name, blanks[field.name] ?? '']);
}

/** The fields as the server describes them; of a game that the app was built with, the names say which hold seats. */
export function fieldsOf(game: string, value: Value): readonly EventField[] {
  return (
    installedGame(game)?.fields[value.is] ??
    Object.entries(value)
      .filter(([field]) => !UNSHOWN.includes(field))
      .map(([field, part]) => ({
        name: field,
        kind: SEAT_FIELDS.includes(field) ? 'seat' : 'other',
        is_list: Array.isArray(part),
        is_optional: true,
      }))
  );
}

const partOf = (value: Value, field: EventField) => (value as unknown as Record<string, unknown>)[field.name];

function blanksOf(game: string, value: Value, fields: readonly EventField[], name: Naming) {
  const blanks: Record<string, string | number> = {};
  for (const field of fields) {
    const part = partOf(value, field);
    blanks[field.name] = shown(game, part, field.kind === 'seat', name);
    if (field.name === 'seconds' && typeof part === 'number') blanks.count = part;
  }
  return blanks;
}

function shown(game: string, part: unknown, isSeat: boolean, name: Naming): string | number {
  if (part === null || part === undefined) return t('list.none');
  if (typeof part === 'boolean') return t(part ? 'plain.yes' : 'plain.no');
  if (typeof part === 'number') return isSeat ? name(part) : part;
  if (typeof part === 'string') return term(part, game);
  return Array.isArray(part) ? list(part.map((one) => String(shown(game, one, isSeat, name)))) : '';
}

/** `no_target` where that field is empty, `approve` where it is set, the word where it holds one; several are joined. */
function contextsOf(value: Value, fields: readonly EventField[]): string[] {
  const [present, absent]: [string[], string[]] = [[], []];
  for (const field of fields) {
    const part = partOf(value, field);
    const isEmpty = (part ?? false) === false || (Array.isArray(part) && !part.length);
    if (isEmpty) absent.push(`no_${field.name}`);
    else if (part === true || field.is_optional) present.push(field.name);
    if (typeof part === 'string') present.push(wordKey(part));
  }
  return [...(present.length > 1 ? [present.join('_')] : []), ...absent, ...present];
}
