/** Which language the page speaks, and how it says a sentence of a catalogue. */
import { keep, kept } from '../wire/keep';

export type Language = 'en' | 'vi';
export const LANGUAGES: readonly Language[] = ['en', 'vi'];

/** A catalogue in another language: every key of the English one, and no other. */
export type Same<Words> = { readonly [Key in keyof Words]: string };

/** What a sentence has to be told: `{name}` in it asks for a name. */
type Blanks<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Blanks<Rest> : never;
type Told<Text> = [Blanks<Text>] extends [never] ? [] : [Record<Blanks<Text>, string | number>];

let current = $state<Language>(guess());

export const language = {
  get now(): Language {
    return current;
  },
  set now(chosen: Language) {
    current = chosen;
    keep('language', chosen);
  },
};

/** The voice of a catalogue: `t('seats', { count: 5 })`, in whichever language is spoken now. */
export function speak<const Words extends Record<string, string>>(en: Words, vi: Same<Words>) {
  return <Key extends keyof Words>(key: Key, ...told: Told<Words[Key]>): string =>
    filled((current === 'vi' ? vi : en)[key], told[0]);
}

/** The same for keys that come from the server; what a catalogue does not know is shown as it is. */
export function name<Words extends Record<string, string>>(en: Words, vi: Same<Words>) {
  return (key: string): string => (current === 'vi' ? vi : en)[key] ?? key;
}

/** `Ann, Bình and Eve`, as the language joins them. */
export function list(names: readonly string[]): string {
  return new Intl.ListFormat(current, { type: 'conjunction' }).format(names);
}

export function filled(text: string, told: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String(told[name] ?? blank));
}

function guess(): Language {
  const chosen = kept('language');
  if (chosen === 'en' || chosen === 'vi') return chosen;
  const spoken = typeof navigator === 'undefined' ? [] : navigator.languages;
  return spoken.find((one) => /^(en|vi)\b/i.test(one))?.startsWith('vi') ? 'vi' : 'en';
}
