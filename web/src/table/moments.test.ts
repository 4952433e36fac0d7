import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../protocol/messages';
import { Moments } from './moments.svelte';

const reveals = () => ({ VotesCounted: { isBrief: true }, QuestResolved: { steps: () => 3 } });

const heard = (...events: object[]) => events as unknown as Event[];
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

  it('turns one card after the other, and is tense until then', () => {
    const known = vi.fn();
    const moments = new Moments(reveals, known);
    moments.note(heard(quest));
    expect([moments.turned, moments.isTense]).toEqual([0, true]);
    vi.advanceTimersByTime(1_000);
    expect([moments.turned, moments.isTense]).toEqual([1, true]);
    expect(known).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_000);
    expect(moments.isTense).toBe(false);
    expect(known).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    expect(moments.now).toBe(null);
  });

  it('shows everything at a tap, and goes at the next', () => {
    const moments = new Moments(reveals);
    moments.note(heard(quest));
    moments.skip();
    expect([moments.isOver, moments.isTense]).toEqual([true, false]);
    moments.skip();
    expect(moments.now).toBe(null);
  });

  it('is not pushed aside by the next vote, which comes after it', () => {
    const moments = new Moments(reveals);
    moments.note(heard(votes, quest));
    expect(moments.now?.is).toBe('QuestResolved');
    moments.skip();
    moments.note(heard(votes));
    expect(moments.now?.is).toBe('QuestResolved');
    moments.skip();
    expect(moments.now?.is).toBe('VotesCounted');
  });

  it('waits for its turn while the last result is looked at, and is tense already', () => {
    const moments = new Moments(reveals);
    moments.note(heard(quest));
    moments.skip();
    moments.note(heard({ ...quest, quest: 3 }));
    expect([moments.isOver, moments.isTense]).toEqual([true, true]);
    moments.skip();
    expect([moments.now, moments.turned]).toEqual([{ ...quest, quest: 3 }, 0]);
  });

  it('has nothing left to turn for those who come late', () => {
    const moments = new Moments(reveals);
    moments.note(heard(quest, votes), true);
    expect([moments.now?.is, moments.isTense]).toEqual(['VotesCounted', false]);
  });

  it('is of no interest where nothing is turned up', () => {
    const moments = new Moments(reveals);
    moments.note(heard({ is: 'TeamProposed' }));
    expect(moments.now).toBe(null);
  });
});
