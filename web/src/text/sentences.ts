/**
 * Events and moves as sentences. The name is the key, the fields are the blanks and choose among contexts, as in
 * src/roundtable/text/: `event.team_proposed_excalibur` is the sentence of a proposal in which that field is set.
 */
import { gameText, list, term } from './language.svelte';
import { snakeCase, type Values } from './messages';

export type Naming = (seat: number) => string;
type Value = { is: string };

/** Fields that hold a seat or several; other numbers are counts. */
const SEATS =
  'seat leader team excalibur holder target targets assassin evil seats wolves accused eliminate save killed'.split(
    ' ',
  );

/** The sentence of a value in its most specific context; undefined where the catalogue has none. */
export function sentenceOf(
  game: string,
  section: 'event' | 'move',
  value: Value,
  name: Naming,
  more: Values = {},
): string | undefined {
  const key = `${section}.${snakeCase(value.is)}`;
  const values = { ...blanksOf(value, name), ...more };
  for (const context of contextsOf(value)) {
    const found = gameText(game, `${key}_${context}`, values);
    if (found !== undefined) return found;
  }
  return gameText(game, key, values);
}

function blanksOf(value: Value, name: Naming): Values {
  const blanks: Record<string, string | number> = {};
  for (const [field, part] of Object.entries(value) as [string, unknown][]) {
    if (typeof part === 'number') blanks[field] = SEATS.includes(field) ? name(part) : part;
    if (typeof part === 'string') blanks[field] = term(part);
    if (Array.isArray(part) && SEATS.includes(field))
      blanks[field] = list(part.map((seat) => name(seat as number)));
    if (field === 'seconds' && typeof part === 'number') blanks.count = part;
  }
  return blanks;
}

/** `no_target` where that field is empty, `approve` where it is set, the word where it holds one. */
function contextsOf(value: Value): string[] {
  const fields = Object.entries(value).filter(([field]) => field !== 'is' && field !== 'audience');
  const isEmpty = (part: unknown) => part === null || part === false || (Array.isArray(part) && !part.length);
  return [
    ...fields.filter(([, part]) => isEmpty(part)).map(([field]) => `no_${field}`),
    ...fields
      .filter(([, part]) => !isEmpty(part))
      .flatMap(([field, part]) => (typeof part === 'string' ? [field, snakeCase(part)] : [field])),
  ];
}
