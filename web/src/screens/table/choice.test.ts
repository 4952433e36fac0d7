import { describe, expect, it } from 'vitest';
import { Choice } from './choice.svelte';

describe('seats that are tapped', () => {
  it('refuses one too many and keeps those that were picked', () => {
    const choice = new Choice();
    for (const seat of [3, 1, 4]) choice.tap(seat, 2);
    expect(choice.picked).toEqual([3, 1]);
    expect(choice.refused).toEqual({ seat: 4, limit: 2 });
    choice.tap(3, 2);
    expect([choice.picked, choice.refused]).toEqual([[1], null]);
    choice.tap(4, 2);
    expect([choice.picked, choice.refused]).toEqual([[1, 4], null]);
  });

  it('moves a single choice to the seat that was tapped', () => {
    const choice = new Choice();
    for (const seat of [3, 1]) choice.tap(seat, 1);
    expect([choice.picked, choice.refused]).toEqual([[1], null]);
  });

  it('forgets a refusal with the phase', () => {
    const choice = new Choice();
    for (const seat of [3, 1, 4]) choice.tap(seat, 2);
    choice.restart();
    expect([choice.picked, choice.refused]).toEqual([[], null]);
  });
});
