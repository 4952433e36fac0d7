import { expect, test } from 'vitest';
import { GAMES, LANGUAGES, gameName, gameText, inGame, language, list, t, term } from '.';
import { fill, find, isolated, nameKey, plainName, wordKey } from './messages';

const blanks = (text: string) => (text.match(/\{\{\s*\w+\s*\}\}/g) ?? []).sort();
const [english, ...others] = LANGUAGES;

test.each(others.map(({ code, load }) => [code, load] as const))(
  'messages in %s have the blanks of the English ones',
  async (_, load) => {
    const { default: source } = await english.load();
    const { default: translated } = await load();
    for (const [key, text] of Object.entries(translated)) {
      const original = source[key] ?? source[key.replace(/_(zero|two|few|many)$/, '_other')];
      expect(text.trim(), key).toBeTruthy();
      expect(blanks(text), key).toEqual(blanks(original ?? ''));
    }
  },
);

test('a count chooses the plural form of the language', () => {
  const messages = {
    team_one: '{{count}} player',
    team_few: '{{count}} gracze',
    team_other: '{{count}} players',
    plain: 'x',
  };
  const [en, pl] = [new Intl.PluralRules('en'), new Intl.PluralRules('pl')];
  expect(find(messages, en, 'team', 1)).toBe('{{count}} player');
  expect(find(messages, en, 'team', 2)).toBe('{{count}} players');
  expect(find(messages, pl, 'team', 2)).toBe('{{count}} gracze');
  expect(find(messages, en, 'plain', 2)).toBe('x');
});

test('one of a thing is not said as many: "1 places"', async () => {
  const { default: messages } = await english.load();
  const many = Object.entries(messages).filter(([key, text]) => {
    return !key.endsWith('_other') && /\{\{count\}\} \p{L}+s\b/u.test(text);
  });
  expect(many).toEqual([]);
});

test('a blank is filled once: a value may contain braces', () => {
  expect(fill('{{a}} and {{b}}', { a: '{{b}}', b: 2 })).toBe('{{b}} and 2');
});

test.each(['אבי', 'مريم', 'ܐܒܐ', 'ߞߊ', 'Bob אבי', '123 علي', '𞤀𞤣'])(
  '%s is isolated in a sentence: it runs from right to left',
  (name) => {
    expect(isolated(name)).toBe(`\u2068${name}\u2069`);
    expect(fill('{{name}} voted.', { name })).toBe(`\u2068${name}\u2069 voted.`);
  },
);

test.each(['Đức', 'Вова', 'Νίκος', '王小明', 'さくら', '민준', 'สมชาย', 'आशा', '42', '', '🎲'])(
  '%s stays as it is: it runs from left to right',
  (name) => {
    expect(isolated(name)).toBe(name);
  },
);

test('every name of a list is isolated, so that they stay in their order', () => {
  const [avi, mary] = ['\u2068אבי\u2069', '\u2068مريم\u2069'];
  expect(list(['אבי', 'مريم', 'Bob'])).toBe(`${avi}, ${mary} and Bob`);
  expect(list(['אבי'])).toBe(avi);
});

test('the page changes its language', async () => {
  await language.choose('vi');
  expect([language.now, term('Good'), list(['An', 'Bình', 'Chi'])]).toEqual([
    'vi',
    'Phe Xanh',
    'An, Bình và Chi',
  ]);
  await language.choose('en');
  expect([language.now, term('Good'), list(['Ann', 'Ben', 'Cid'])]).toEqual([
    'en',
    'Good',
    'Ann, Ben and Cid',
  ]);
  expect([list([]), list(['Ann']), list(['Ann', 'Ben'])]).toEqual(['no one', 'Ann', 'Ann and Ben']);
});

test('a game finds its own messages, then those that games share, then those of the app', () => {
  expect(gameText('avalon', 'option.lady.label')).toBe(t('avalon:option.lady.label'));
  expect(gameText('thavalon', 'option.vote_seconds.label')).toBe(t('quests:option.vote_seconds.label'));
  expect(gameText('saviom', 'option.countdown_seconds.label')).toBe(t('option.countdown_seconds.label'));
  expect(gameText('saviom', 'option.lady.label')).toBeUndefined();
});

test('a sentence that games share is said in the words of the game', async () => {
  const tracks = () => ['avalon', 'thavalon'].map((game) => inGame(game, 'quests:label.quests'));
  expect(tracks()).toEqual(['Quests', 'Missions']);
  expect(inGame('thavalon', 'quests:highlight.sabotage', { name: 'Ann', quests: '2', count: 1 })).toBe(
    'Ann sabotaged mission 2.',
  );
  await language.choose('vi'); // has one word for both
  expect(tracks()).toEqual(['Các nhiệm vụ', 'Các nhiệm vụ']);
  await language.choose('en');
});

test('what has no message is shown by its own name', () => {
  expect([term('Jester'), gameName('chess')]).toEqual(['Jester', 'Chess']);
  expect(plainName('point_seconds')).toBe('Point seconds');
  expect(GAMES.map(gameName)).not.toContain('');
});

test('words and classes of the server become keys', () => {
  expect(['Minion of Mordred', 'wolves', 'McCoy!'].map(wordKey)).toEqual([
    'minion_of_mordred',
    'wolves',
    'mccoy',
  ]);
  expect(['CastVote', 'Round2Began'].map(nameKey)).toEqual(['cast_vote', 'round2_began']);
});
