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
  return message.replace(/\{\{\s*(\w+)\s*\}\}/g, (blank, name: string) =>
    isolated(String(values[name] ?? blank)),
  );
}

/** Hebrew, Arabic and other scripts that run from right to left, and the marks that stand for them. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const ISOLATED = /\u2068[^\u2068\u2069]*\u2069/g;

/**
 * A name or a line as a part of a sentence. If it runs from right to left, it is put between U+2068 and U+2069, so
 * that the words around it stay in their places. In an element of its own, `<bdi>` does the same.
 */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text.replace(ISOLATED, '')) ? `\u2068${text}\u2069` : text;

/** The name of an event or a move as a part of a key: `PhaseBegan` is `phase_began`. */
export const nameKey = (name: string): string => name.replace(/(?!^)(?=[A-Z])/g, '_').toLowerCase();

/** A word of a game as a part of a key: `Fool of the Court` is `fool_of_the_court`. */
export const wordKey = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** A name without a message, as it can be read: `point_seconds` is `Point seconds`. */
export const plainName = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
