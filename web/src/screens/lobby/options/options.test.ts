import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { uiOf } from '../../../games';
import { GAMES, gameText } from '../../../text';
import { kindOf } from './kinds';
import { isChosen, presetsFor } from './presets';

type Property = { enum?: (string | number)[]; anyOf?: Property[]; type?: string };
type Definition = { properties: Record<string, Property> };
const schema = JSON.parse(readFileSync('../docs/protocol-schema.json', 'utf8')) as {
  $defs: Record<string, Definition>;
};
const NO_OPTIONS = ['is', 'game', 'rules_version', 'seats'];
const SETUPS = Object.entries(schema.$defs).filter(
  ([name]) => name.endsWith('Setup') && schema.$defs[name]?.properties,
);
const PRESETS = GAMES.map((game) => [game, uiOf(game).rules.presets] as const);
const gameOf = (setup: string) => setup.replace(/^(.*\.)?(\w+)Setup$/, '$2').toLowerCase();

test('all three games are looked at', () => {
  expect(SETUPS.map(([name]) => name.replace(/^.*\./, '')).sort()).toEqual([
    'AvalonSetup',
    'SaviomSetup',
    'ThavalonSetup',
  ]);
});

test.each(SETUPS)(
  'every house rule of %s has a text, and so has each of its values',
  (setup, { properties }) => {
    const text = (key: string) => gameText(gameOf(setup), `option.${key}`);
    for (const [name, takes] of Object.entries(properties)) {
      if (NO_OPTIONS.includes(name)) continue;
      expect(text(`${name}.label`), name).toBeTruthy();
      expect(text(`${name}.why`), name).toBeTruthy();
      const kind = kindOf({ takes });
      if (kind.is !== 'choice') continue;
      for (const value of kind.values)
        expect(text(`${name}.value.${value}`), `${name}: ${value}`).toBeTruthy();
    }
  },
);

test.each(PRESETS)('every preset of %s has a text', (game, presets) => {
  for (const { name } of presets)
    for (const part of ['label', 'why']) expect(gameText(game, `preset.${name}.${part}`), name).toBeTruthy();
});

test.each(PRESETS)('what a preset of %s chooses is a house rule of the game', (game, presets) => {
  const [, setup] = SETUPS.find(([name]) => name.toLowerCase().includes(`${game}setup`)) ?? [];
  for (const preset of presets)
    for (const name of Object.keys(preset.options)) expect(setup?.properties, name).toHaveProperty(name);
});

test.each(PRESETS)('one preset of %s is recommended at every size', (_, presets) => {
  for (const seats of [5, 6, 7, 8, 9, 10]) {
    const offered = presets.filter((preset) => preset.fits(seats) && preset.isRecommended(seats));
    expect(offered, String(seats)).toHaveLength(1);
  }
});

test('a table has a preset when every other rule is left as it is', () => {
  const [usual, lady] = presetsFor('avalon', 7);
  const defaults = { lady: false, roles: null };
  expect(usual && isChosen(usual, { lady: false, roles: null }, defaults)).toBe(true);
  expect(usual && isChosen(usual, { lady: true, roles: null }, defaults)).toBe(false);
  expect(lady && isChosen(lady, { lady: true, roles: null }, defaults)).toBe(true);
});

test('a rule that can make no difference is left out', () => {
  const matters = (game: string, ...rule: [string, number, object]) =>
    uiOf(game).rules.matters(rule[0], rule[1], { ...rule[2] });
  expect(matters('thavalon', 'nine_evil', 8, {})).toBe(false);
  expect(matters('thavalon', 'nine_evil', 9, {})).toBe(true);
  expect(matters('avalon', 'lady_seconds', 7, { lady: false })).toBe(false);
  const track = { proposals: 'five_rejections' };
  expect(matters('thavalon', 'first_round', 7, { ...track, first_round: 'in_turn' })).toBe(false);
  expect(matters('thavalon', 'first_round', 7, { ...track, first_round: 'paired' })).toBe(true);
});

test('time to declare matters where Agravaine can be dealt and declare', () => {
  const matters = (seats: number, declarations: boolean, pool: string[] | null) =>
    uiOf('thavalon').rules.matters('clock', seats, { declarations, pool });
  expect(matters(8, true, null)).toBe(true);
  expect(matters(7, true, null)).toBe(false);
  expect(matters(8, false, null)).toBe(false);
  expect(matters(5, true, ['Agravaine'])).toBe(true);
  expect(matters(8, true, ['Merlin'])).toBe(false);
});
