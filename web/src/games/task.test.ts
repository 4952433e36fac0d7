import { describe, expect, it } from 'vitest';
import type { Asked, View } from '../protocol/messages';
import { uiOf } from '.';
import { aimedAt, type AimTask } from './parts/aims';
import { nightMove, type NightTask } from './saviom/task';

type Options = Asked['options'];
const taskOf = (offered: Asked | null, shown: View, seat: number, aim = 0, kept: number | null = null) =>
  uiOf(shown.setup.game).task(offered, shown, seat, { aim, kept });
const asked = (name: string, options: unknown[]): Asked => ({
  is: 'Asked',
  phase: 3,
  name,
  milliseconds: null,
  options: options as Options,
});
const view = (game: string, name: string, more: object = {}) =>
  ({
    setup: { game, seats: 5 },
    phase: { number: 3, name, awaited: [], seconds: null },
    outcome: null,
    ballots: {},
    verdicts: {},
    cards: {},
    proposal: null,
    ...more,
  }) as unknown as View;
const offer = (kind: string, moves: object[]) => ({
  kind,
  total: moves.length,
  moves: moves.map((move) => ({ is: kind, phase: 3, ...move })),
  teams: null,
});
const town = (more: object = {}) =>
  view('saviom', 'night', {
    alive: [0, 1, 2, 4],
    hunts: {},
    protections: {},
    inspections: {},
    suspicions: {},
    locked: [],
    ...more,
  });

describe('what is owed', () => {
  const onQuest = { proposal: { leader: 0, quest: 1, team: [0, 2], excalibur: null } };

  it('draws every card of the game for each member of the team, whatever they may play', () => {
    const one = [offer('PlayCard', [{ card: 'Success' }])];
    const avalon = taskOf(asked('quest', one), view('avalon', 'quest', onQuest), 0);
    expect(avalon).toMatchObject({ is: 'cards', cards: ['Success', 'Fail'], isDone: false });
    const thavalon = (reversal: boolean) =>
      taskOf(
        asked('quest', one),
        view('thavalon', 'quest', { ...onQuest, setup: { game: 'thavalon', seats: 5, reversal } }),
        0,
      );
    expect(thavalon(true)).toMatchObject({ is: 'cards', cards: ['Success', 'Fail', 'Reverse'] });
    expect(thavalon(false)).toMatchObject({ is: 'cards', cards: ['Success', 'Fail'] });
  });

  it('keeps the cards on the table once one is laid, and offers none to those who stay', () => {
    const laid = view('avalon', 'quest', { ...onQuest, cards: { 0: 'Fail' } });
    expect(taskOf(asked('quest', []), laid, 0)).toMatchObject({ is: 'cards', isDone: true });
    expect(taskOf(asked('quest', []), laid, 1)).toEqual({ is: 'nothing' });
  });

  it('never shows by itself that a seat has something to declare', () => {
    const declared = [offer('DeclareArthur', [{}])];
    expect(taskOf(asked('propose', declared), view('thavalon', 'propose'), 1)).toEqual({ is: 'nothing' });
    expect(taskOf(asked('stand', [offer('DeclareAgravaine', [{}])]), view('thavalon', 'stand'), 1)).toEqual(
      taskOf(asked('stand', []), view('thavalon', 'stand'), 1),
    );
  });

  it('lets every living player tap every other one at night', () => {
    const hunt = taskOf(asked('night', [offer('Hunt', [{ target: 2 }])]), town(), 0);
    const suspect = taskOf(asked('night', [offer('Suspect', [{ target: 1 }, { target: 2 }])]), town(), 0);
    expect([hunt.taps?.seats, suspect.taps?.seats]).toEqual([
      [1, 2, 4],
      [1, 2, 4],
    ]);
    const { aims } = hunt as NightTask;
    expect(nightMove(aims, 1)).toBe(undefined);
    expect(nightMove(aims, 2)).toMatchObject({ is: 'Hunt', target: 2 });
  });

  it.each([3, -1])('gives seat %i a tap that stays with them, at night', (seat) => {
    const dream = taskOf(asked('night', []), town(), seat);
    expect(dream).toMatchObject({ is: 'night', aims: [], isDream: true, isDone: false });
    expect(dream.taps?.seats).toEqual([0, 1, 2, 4]);
    expect(taskOf(asked('night', []), town(), seat, 0, 2)).toMatchObject({ isDone: true });
  });

  it('asks nothing more of a seat that has locked in, by day and by night', () => {
    const accusing = asked('day', [offer('Surrender', [{}])]);
    const locked = { locked: [0], accused: null, accusations: { 0: 1 } };
    const note = 'Locked in. Waiting for the others.';
    expect(taskOf(asked('night', []), town(locked), 0)).toEqual({ is: 'nothing', note });
    expect(taskOf(accusing, view('saviom', 'day', { ...locked, alive: [0, 1] }), 0)).toEqual({
      is: 'nothing',
      note,
    });
  });

  it('tells who is on trial to speak, and not that there is nothing to do', () => {
    const trial = view('saviom', 'defense', { locked: [], accused: 2, alive: [0, 1, 2] });
    expect(taskOf(asked('defense', []), trial, 2)).toEqual({
      is: 'nothing',
      note: 'Everyone can hear you. Tell them why you should stay.',
    });
  });

  it('finds the move that names the two who were tapped, in whatever order', () => {
    const calls = [
      offer('CallMerlin', [{ target: 1 }, { target: 2 }]),
      offer('CallLovers', [{ targets: [1, 2] }, { targets: [2, 4] }]),
    ];
    const task = taskOf(asked('assassination', calls), view('thavalon', 'assassination'), 0, 1);
    expect(task).toMatchObject({ is: 'aim', isFinal: true, taps: { seats: [1, 2, 4], limit: 2 } });
    const { aims } = task as AimTask;
    expect(aimedAt(aims[1], [4, 2])).toMatchObject({ is: 'CallLovers', targets: [2, 4] });
    expect(aimedAt(aims[1], [1, 4])).toBe(undefined);
  });

  it('owes nothing to a game that is over, or that is only watched', () => {
    const votes = [offer('CastVote', [{ approve: true }, { approve: false }])];
    expect(taskOf(asked('vote', votes), view('avalon', 'vote'), 0)).toMatchObject({ is: 'ballot' });
    expect(taskOf(asked('vote', votes), view('avalon', 'vote', { outcome: {} }), 0)).toEqual({
      is: 'nothing',
    });
    expect(taskOf(null, view('avalon', 'vote'), -1)).toEqual({ is: 'nothing' });
  });
});
