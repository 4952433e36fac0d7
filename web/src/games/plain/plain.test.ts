import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Event, Heard, Move, Offer, View } from '../../protocol/messages';
import { owes, statusOf } from '../../screens/table/status';
import { gameName, gameText, language, term } from '../../text';
import { called, kindCalled } from '../../text/moves';
import { tell, uiOf } from '..';
import type { DrawnTable } from '../game';
import { pickedMove, plainTask, type PlainTask } from './options';
import { privateSentences, publicSentences } from './sentences';

const field = (name: string, kind: string, is_list = false, is_optional = false) => ({
  name,
  kind,
  is_list,
  is_optional,
});
const NEST = {
  messages: {
    'game.name': 'Nest',
    'word.egg': 'Egg!',
    'event.wing_raised': '{{seat}} points at {{target}}.',
    'event.wing_raised_no_target': '{{seat}} points at no one.',
    'event.wings_counted': 'They point at: {{targets}}.',
    'secret.egg_hatched': 'You are an {{role}}',
    'move.point': 'Point at {{target}}',
    'move.point_kind': 'Point at a bird',
    'phase.point.question': 'Which bird?',
  },
  rulebook: '',
  fields: {
    Point: [field('target', 'seat')],
    Flock: [field('birds', 'seat', true)],
    LayEggs: [field('count', 'number'), field('is_blue', 'flag')],
    EggHatched: [field('seat', 'seat'), field('role', 'word')],
    WingRaised: [field('seat', 'seat'), field('target', 'seat', false, true)],
    WingsCounted: [field('targets', 'seat', true)],
    StormBroke: [field('strength', 'number'), field('is_near', 'flag'), field('hit', 'seat', true)],
    Silence: [],
  },
};
const NAMES = ['Ann', 'Ben', 'Cid', 'Dan'];
const name = (seat: number) => NAMES[seat] ?? '';
const happened = (event: object) => ({ audience: 'everyone', ...event }) as unknown as Event;
const offer = (kind: string, moves: object[], teams: Offer['teams'] = null): Offer => ({
  kind,
  total: moves.length,
  moves: moves.map((move) => ({ is: kind, phase: 3, ...move })) as unknown as Move[],
  teams,
});
const view = {
  setup: { game: 'nest', seats: 4 },
  phase: { number: 3, name: 'point', awaited: [0, 1], seconds: null },
  outcome: null,
} as unknown as View;
const live = (seat: number, options: Offer[] = []) =>
  ({
    seat,
    name,
    game: 'nest',
    moments: { isTense: false },
    asked: { options },
  }) as unknown as DrawnTable;

beforeAll(async () => {
  vi.stubGlobal('fetch', (path: string) =>
    Promise.resolve(
      path === '/api/games/nest/text/en' ? Response.json(NEST) : Response.json({}, { status: 404 }),
    ),
  );
  await language.learn(['nest', 'avalon', 'unknown']);
});

afterAll(() => vi.unstubAllGlobals());

test('a game is told by its own messages', () => {
  expect([gameName('nest'), gameName('unknown'), term('Egg', 'nest'), term('Egg')]).toEqual([
    'Nest',
    'Unknown',
    'Egg!',
    'Egg',
  ]);
  const told = (event: object) => tell('nest', happened(event), name);
  expect(told({ is: 'WingRaised', seat: 0, target: 2 })).toBe('Ann points at Cid.');
  expect(told({ is: 'WingRaised', seat: 0, target: null })).toBe('Ann points at no one.');
  expect(told({ is: 'WingRaised', seat: 0 })).toBe('Ann points at no one.'); // a live table leaves out what is null
  expect(told({ is: 'WingsCounted', targets: [1, null] })).toBe('They point at: Ben and no one.');
  expect(told({ is: 'VotesCounted', ballots: [] })).not.toBe(''); // its own event of that name, not Avalon's
});

test('what has no message is told by the names of its parts, as in the terminal', () => {
  const told = (event: object) => tell('nest', happened(event), name);
  expect(told({ is: 'StormBroke', strength: 3, is_near: true, hit: [1, 3] })).toBe(
    'Storm broke (strength: 3, is near: yes, hit: Ben and Dan).',
  );
  expect(told({ is: 'Silence' })).toBe('Silence.');
  expect(told({ is: 'PhaseBegan', name: 'point' })).toBe('');
  expect(gameText('nest', 'status.propose_you')).toBeUndefined(); // nothing is borrowed from another game
});

test('what one seat alone heard is not among what everyone heard', () => {
  const heard = [
    happened({ is: 'EggHatched', seat: 0, role: 'Egg', audience: [0] }),
    happened({ is: 'Silence' }),
  ].map((event, at): Heard => ({ is: 'Heard', number: at + 1, event }));
  expect(publicSentences({ name, heard }, 'nest')).toEqual(['Silence.']);
  expect(privateSentences({ name, heard }, 'nest')).toEqual(['You are an Egg!']);
});

test('a move is called by its message, or by its kind and what it names', () => {
  const [point] = offer('Point', [{ target: 2 }]).moves;
  const [eggs] = offer('LayEggs', [{ count: 2, is_blue: false }]).moves;
  expect([called(live(0), point as Move), kindCalled(live(0), 'Point')]).toEqual([
    'Point at Cid',
    'Point at a bird',
  ]);
  expect([called(live(0), eggs as Move), kindCalled(live(0), 'LayEggs')]).toEqual([
    'Lay eggs 2 no',
    'Lay eggs',
  ]);
});

test('seats are tapped for a move that names seats alone; other moves are listed', () => {
  const options = [
    offer('Point', [{ target: 1 }, { target: 3 }]),
    offer('LayEggs', [{ count: 1, is_blue: true }]),
    offer('Nothing', []),
  ];
  const asked = { is: 'Asked', phase: 3, name: 'point', milliseconds: null, options } as const;
  const taskOf = (offered: unknown) =>
    uiOf('nest').task(offered as never, view, 0, { aim: 0, kept: null }) as PlainTask;
  const task = taskOf(asked);
  expect([task.is, task.pickers.length, task.listed.map(({ kind }) => kind)]).toEqual([
    'plain',
    1,
    ['LayEggs'],
  ]);
  expect(task.taps).toEqual({ seats: [1, 3], limit: 1 });
  expect(taskOf(null)).toEqual({ is: 'nothing' });
});

test('a picked move is sent as it came; a team that was not listed differs only in its seats', () => {
  const listed = offer('Flock', [{ birds: [0, 1] }, { birds: [0, 2] }]);
  const picker = (from: Offer) => {
    const task = plainTask(view, [from], 0);
    return task.is === 'plain' ? task.pickers[0] : undefined;
  };
  const few = picker(listed);
  expect(few?.count).toBe(2);
  expect(few && pickedMove(few, [2, 0])).toBe(listed.moves[1]);
  expect(few && pickedMove(few, [2, 1])).toBeUndefined();
  const many = picker(
    offer('Flock', [{ birds: [0, 1] }], { eligible: [0, 1, 2], sizes: [[null, 2]], bearer_not: null }),
  );
  expect(many && pickedMove(many, [2, 1])).toEqual({ is: 'Flock', phase: 3, birds: [1, 2] });
  expect(many && pickedMove(many, [1])).toBeUndefined();
});

test('the status asks those who have something to do', () => {
  const some = [offer('Point', [{ target: 1 }])];
  expect([statusOf(live(0, some), view), owes(live(0, some), view)]).toEqual(['Which bird?', true]);
  expect([statusOf(live(-1), view), owes(live(-1), view)]).toEqual(['Which bird?', false]);
  const other = { ...view, phase: { ...view.phase, name: 'moulting_time' } };
  expect(statusOf(live(3), other)).toBe('Moulting time');
});
