/** Messages in i18next form: plural forms are chosen by a count, and blanks `{{name}}` are filled. */
export type Messages = Readonly<Record<string, string>>;
export type Values = Readonly<Record<string, string | number>>;

/** The message of a key; with a count, the plural form of its language where the key has one. */
export function find(messages: Messages, plural: Intl.PluralRules, key: string, count?: number) {
  const form = count === undefined ? undefined : messages[`${key}_${plural.select(count)}`];
  return form ?? messages[key];
}

/** A value that contains braces stays as it is. */
export function fill(message: string, values: Values = {}): string {
  return message.replace(/\{\{\s*(\w+)\s*\}\}/g, (blank, name: string) => String(values[name] ?? blank));
}

/** The key of a word that the server uses: `Minion of Mordred` is `word.minion_of_mordred`, `CastVote` is `cast_vote`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
