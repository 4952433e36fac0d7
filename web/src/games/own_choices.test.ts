import { describe, expect, it } from 'vitest';
import type { Heard, View } from '../protocol/messages';
import { uiOf } from '.';
import type { Table } from './game';

const NAMES = ['Ann', 'Bo', 'Chi'];
const table = (heard: object[] = []) =>
  ({
    seat: 0,
    name: (seat: number) => NAMES[seat],
    heard: heard.map((event) => ({ event }) as Heard),
    room: null,
  }) as unknown as Table;
const view = (game: string, name: string, more: object = {}) =>
  ({
    setup: { game, seats: 3 },
    phase: { number: 2, name, awaited: [], seconds: null },
    outcome: null,
    ballots: {},
    cards: {},
    ...more,
  }) as unknown as View;
const town = (name: string, more: object = {}) =>
  view('saviom', name, {
    alive: [0, 1, 2],
    accused: 1,
    locked: [],
    verdicts: {},
    accusations: {},
    hunts: {},
    protections: {},
    inspections: {},
    suspicions: {},
    ...more,
  });
const ownChoices = (shown: View, heard: object[] = []) =>
  uiOf(shown.setup.game).ownChoices(table(heard), shown);

describe('what you did', () => {
  it('covers a vote until all votes are counted, and then tells it', () => {
    expect(ownChoices(view('avalon', 'vote', { ballots: { 0: false } }))).toEqual([
      { text: 'You voted to reject.', isSecret: true },
    ]);
    const counted = [
      { is: 'VotesCounted', ballots: { 0: true } },
      { is: 'VotesCounted', ballots: { 0: false } },
    ];
    expect(ownChoices(view('avalon', 'propose'), counted)).toEqual([
      { text: 'In the last vote, you rejected.', isSecret: false },
    ]);
    expect(ownChoices(view('avalon', 'vote'), counted)).toEqual([]);
  });

  it('covers a card', () => {
    expect(ownChoices(view('thavalon', 'quest', { cards: { 0: 'Reverse' } }))).toEqual([
      { text: 'You played Reverse.', isSecret: true },
    ]);
  });

  it.each([
    ['hunts', 'Tonight you hunt Chi.'],
    ['suspicions', 'Tonight you suspect Chi.'],
  ])('covers what was chosen at night: %s', (field, text) => {
    expect(ownChoices(town('night', { [field]: { 0: 2 } }))).toEqual([{ text, isSecret: true }]);
  });

  it('covers a verdict', () => {
    expect(ownChoices(town('defense', { verdicts: { 0: true } }))).toEqual([
      { text: 'You voted to eliminate.', isSecret: true },
    ]);
  });
});

describe('the status line in town', () => {
  const status = (shown: View) => uiOf('saviom').status(table(), shown);
  const chosen = {
    day: { accusations: { 0: 2 } },
    defense: { verdicts: { 0: true } },
    night: { suspicions: { 0: 2 } },
  };

  it.each(Object.entries(chosen))(
    'says that a choice can be changed until it is locked in: %s',
    (phase, more) => {
      expect(status(town(phase, more))).toMatch(/change/);
      expect(status(town(phase, { ...more, locked: [0] }))).not.toMatch(/change/);
    },
  );
});
