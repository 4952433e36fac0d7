import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, Heard } from '../wire/messages';
import { Moments } from './moments.svelte';

const heard = (...events: object[]): Heard[] =>
  events.map((event, place) => ({ is: 'Heard', number: place + 1, event: event as unknown as Event }));
const quest = {
  is: 'QuestResolved',
  quest: 2,
  team: [0, 1],
  successes: 1,
  fails: 1,
  reverses: 0,
  succeeded: false,
};
const votes = { is: 'VotesCounted', ballots: [true], approved: true };

describe('a moment', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('turns one card after the other, and hides the result of the quest until then', () => {
    const moments = new Moments();
    moments.note(heard(quest));
    expect([moments.turned, moments.hides(2), moments.hides(1)]).toEqual([0, true, false]);
    vi.advanceTimersByTime(1_000);
    expect([moments.turned, moments.hides(2)]).toEqual([1, true]);
    vi.advanceTimersByTime(2_000);
    expect(moments.hides(2)).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(moments.now).toBe(null);
  });

  it('shows everything at a tap, and goes at the next', () => {
    const moments = new Moments();
    moments.note(heard(quest));
    moments.skip();
    expect([moments.isOver, moments.hides(2)]).toEqual([true, false]);
    moments.skip();
    expect(moments.now).toBe(null);
  });

  it('is not pushed aside by the next vote, which comes after it', () => {
    const moments = new Moments();
    moments.note(heard(votes, quest));
    expect(moments.now?.is).toBe('QuestResolved');
    moments.note(heard(votes));
    expect(moments.now?.is).toBe('QuestResolved');
    moments.skip();
    moments.skip();
    expect(moments.now?.is).toBe('VotesCounted');
  });

  it('is of no interest where nothing is turned up', () => {
    const moments = new Moments();
    moments.note(heard({ is: 'TeamProposed' }));
    expect(moments.now).toBe(null);
  });
});
