import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { announce, tell } from '../games';
import type { Event } from '../protocol/messages';
import { gameText, GAMES } from '.';
import { nameKey, wordKey } from './messages';
import { sentenceOf } from './sentences';

const NAMES = ['Ann', 'Ben', 'Cid', 'Dan', 'Eve'];
const name = (seat: number) => NAMES[seat] ?? '';
const everyone = { audience: 'everyone' } as const;
const happened = (event: object) => ({ ...everyone, ...event }) as unknown as Event;

type Definition = { properties?: Record<string, { const?: string }>; enum?: string[] };
const schema = JSON.parse(readFileSync('../docs/play-schema.json', 'utf8')) as {
  $defs: Record<string, Definition & { oneOf?: { $ref: string }[]; anyOf?: { $ref: string }[] }>;
};
const namesOf = (union: string) =>
  (schema.$defs[union]?.oneOf ?? schema.$defs[union]?.anyOf ?? []).map(({ $ref }) =>
    $ref.replace(/^.*[/.]/, ''),
  );

test('fields are blanks, and choose the sentence', () => {
  const proposal = { is: 'TeamProposed', leader: 0, team: [0, 2], quest: 1, excalibur: null };
  expect(tell('avalon', happened(proposal), name)).toBe('Ann proposes Ann and Cid for quest 1.');
  expect(tell('avalon', happened({ ...proposal, excalibur: 2 }), name)).toBe(
    'Ann proposes Ann and Cid for quest 1; Cid carries Excalibur.',
  );
  const shot = { is: 'MerlinShot', assassin: 3, target: 1 };
  expect(tell('avalon', happened(shot), name)).toBe('Dan strikes at Ben!');
  expect(tell('avalon', happened({ ...shot, target: null }), name)).toBe('Dan hesitates too long.');
});

test('a private event is not announced', () => {
  const card = { is: 'CardChosen', seat: 1, card: 'Fail' };
  expect(tell('avalon', happened(card), name)).toBe('Ben plays Fail.');
  expect(announce('avalon', happened({ ...card, audience: [1] }), name)).toBe('');
});

test('a quest says which cards were played', () => {
  const result = {
    is: 'QuestResolved',
    quest: 2,
    team: [0, 1],
    successes: 1,
    fails: 1,
    reverses: 0,
    succeeded: false,
  };
  expect(tell('avalon', happened(result), name)).toBe('Quest 2 fails: 1 × Success, 1 × Fail.');
});

test('every kind of event and move has a sentence in some game, or none is told on purpose', () => {
  const has = (section: string, kind: string) =>
    GAMES.some((game) =>
      ['', '_kind', '_merlin', '_surrender'].some((form) =>
        gameText(game, `${section}.${nameKey(kind)}${form}`, { count: 1 }),
      ),
    );
  const own = ['TableOpened', 'Said', 'Remarked', 'DayEnded', 'GameEnded'];
  const silent = [
    'SecretsRevealed',
    'PhaseBegan',
    'FloorGiven',
    'BallotCast',
    'WindowOpened',
    'WindowClosed',
  ];
  const events = namesOf('Event').filter((one) => ![...own, ...silent].includes(one));
  expect(events.length).toBeGreaterThan(30);
  for (const kind of events) expect(has('event', kind), kind).toBe(true);
  const moves = namesOf('Move');
  expect(moves.length).toBeGreaterThan(15);
  for (const kind of moves) expect(has('move', kind), kind).toBe(true);
});

test('a move is called by what it does to whom', () => {
  const called = (move: { is: string }) => sentenceOf('saviom', 'move', move, name);
  expect(called({ is: 'Accuse', target: 2 } as { is: string })).toBe('Accuse Cid');
  expect(called({ is: 'Judge', eliminate: true } as { is: string })).toBe('Eliminate');
  expect(called({ is: 'Judge', eliminate: false } as { is: string })).toBe('Spare');
});

test('every role says what it can do', () => {
  const roles = ['quests.Role', 'saviom.Role'].flatMap((name) => schema.$defs[name]?.enum ?? []);
  expect(roles.length).toBeGreaterThan(20);
  for (const role of roles)
    expect(
      GAMES.some((game) => gameText(game, `role.${wordKey(role)}.power`)),
      role,
    ).toBe(true);
});
