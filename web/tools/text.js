// Writes src/text/generated/ from the catalogues of the shell and of the games: the messages of each language, the type
// of every key with its blanks, and the rulebooks. A language is a file <language>.json; what it lacks is said in English.
// A sentence of a game that a language lacks is the one that games share, where there is one.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = 'en';
const PACKAGE = fileURLToPath(new URL('../../src/roundtable/', import.meta.url));
const GENERATED = fileURLToPath(new URL('../src/text/generated/', import.meta.url));
const PLURAL = /_(zero|one|two|few|many|other)$/;
/** The sections that the browser downloads; others are for the terminal, the dealer, the narrator and the server. */
const SHOWN = `
  narrator spoken moderator clock
  language list plain common fault refusal.room refusal.server refusal.action refusal.talk refusal.game
  refusal.setup.seats refusal.setup.role refusal.setup.too_many_roles refusal.record.not_over refusal.text.unreadable
  refusal.setup.pool refusal.setup.pool_lovers refusal.setup.pool_merlin refusal.setup.pool_targets refusal.setup.paired
  home join room invite lobby setting in_person look table member chat talk claim remark
  after replay record deal tv rules game word role option preset notice
  avatar turn_alerts notes status button hint mark label declare move event secret outcome highlight phase.propose.bearer
`.split(/\s+/);

const folders = (path) =>
  readdirSync(path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

/** Catalogue folders by namespace: '' is the shell. */
function catalogues() {
  const games = folders(join(PACKAGE, 'games')).map((game) => [game, join(PACKAGE, 'games', game, 'text')]);
  return Object.fromEntries([['', join(PACKAGE, 'text')], ...games.filter(([, path]) => existsSync(path))]);
}

function flat(tree, above = '') {
  return Object.entries(tree).flatMap(([name, part]) => {
    const key = above ? `${above}.${name}` : name;
    return typeof part === 'string' ? [[key, part]] : flat(part, key);
  });
}

function readCatalogue(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (fault) {
    throw new Error(`The catalogue ${file} is not valid JSON: ${fault.message}`, { cause: fault });
  }
}

/** The messages of one language by `key` (shell) or `namespace:key` (game). */
function messagesIn(language) {
  return Object.fromEntries(
    Object.entries(catalogues()).flatMap(([namespace, path]) => {
      const file = join(path, `${language}.json`);
      if (!existsSync(file)) return [];
      const shown = flat(readCatalogue(file)).filter(([key]) =>
        SHOWN.some((section) => `${key}.`.startsWith(`${section}.`)),
      );
      return shown.map(([key, text]) => [namespace ? `${namespace}:${key}` : key, text]);
    }),
  );
}

const blanksIn = (text) => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name);

/** Which blanks each key needs; the plural forms of a key are one key that needs a `count`. */
function blanksByKey(messages) {
  const blanks = {};
  for (const [form, text] of Object.entries(messages)) {
    const base = form.replace(PLURAL, '');
    const isPlural = base !== form && `${base}_other` in messages;
    const needed = (blanks[isPlural ? base : form] ??= new Set(isPlural ? ['count'] : []));
    blanksIn(text).forEach((name) => needed.add(name));
  }
  return blanks;
}

function typesOf(messages) {
  const lines = Object.entries(blanksByKey(messages)).map(([key, names]) => {
    const union = [...names].map((name) => `'${name}'`).join(' | ') || 'never';
    return `  '${key}': ${union};`;
  });
  return `export interface Blanks {\n${lines.join('\n')}\n}\n`;
}

const spaces = () => Object.keys(catalogues()).filter(Boolean);
const gamesIn = (messages) => spaces().filter((one) => `${one}:game.name` in messages);
const sharedIn = (messages) => spaces().filter((one) => !gamesIn(messages).includes(one));

/** The English messages for which a language has no sentence, not even one that games share. */
function lackedBy(messages, english) {
  const said = new Set(Object.keys(messages).map((form) => form.replace(PLURAL, '')));
  const isShared = (form) =>
    sharedIn(english).some((one) => said.has(form.replace(PLURAL, '').replace(/^\w+:/, `${one}:`)));
  return Object.fromEntries(
    Object.entries(english).filter(([form]) => !form.includes(':') || !isShared(form)),
  );
}

function indexOf(languages, messages) {
  const listed = languages.map((code) => {
    const name = JSON.stringify(messagesIn(code).language ?? code);
    return `  { code: '${code}', name: ${name}, load: () => import('./${code}.json') },`;
  });
  return `export type Language = ${languages.map((code) => `'${code}'`).join(' | ')};
type Listed = { code: Language; name: string; load: () => Promise<{ default: Record<string, string> }> };
/** The source language comes first. */
export const LANGUAGES: readonly [Listed, ...Listed[]] = [
${listed.join('\n')}
];
/** Namespaces of games, and of what several games share. */
export const GAMES = ${JSON.stringify(gamesIn(messages))} as const;
export const SHARED = ${JSON.stringify(sharedIn(messages))} as const;
`;
}

/** Rulebooks as `<game>.<language>.md`. */
function rulebooks() {
  return Object.entries(catalogues()).flatMap(([game, path]) =>
    booksIn(path, /^rulebook\.(.+\.md)$/, `${game}.`),
  );
}

function booksIn(path, pattern, prefix) {
  if (!existsSync(path)) return [];
  return readdirSync(path).flatMap((name) => {
    const found = pattern.exec(name);
    return found ? [[`${prefix}${found[1]}`, readFileSync(join(path, name), 'utf8')]] : [];
  });
}

/** Unchanged files keep their time, so that nothing is built again for them. */
function write(files) {
  for (const [name, text] of files) {
    const path = join(GENERATED, name);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
  const wanted = new Set(files.map(([name]) => name));
  for (const name of readdirSync(GENERATED)) if (!wanted.has(name)) rmSync(join(GENERATED, name));
}

const withFallback = (messages) => ({ ...lackedBy(messages, english), ...messages });

const found = readdirSync(join(PACKAGE, 'text')).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? []);
const languages = [SOURCE, ...found.filter((one) => one !== SOURCE).sort()];
const english = messagesIn(SOURCE);
mkdirSync(GENERATED, { recursive: true });
write([
  ...languages.map((one) => [`${one}.json`, `${JSON.stringify(withFallback(messagesIn(one)))}\n`]),
  ['keys.d.ts', typesOf(english)],
  ['index.ts', indexOf(languages, english)],
  ...rulebooks(),
]);
