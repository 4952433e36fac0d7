import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HandClock } from './countdown.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('it counts down and rings once', () => {
  const ring = vi.fn();
  const clock = new HandClock(ring);
  clock.start(30);
  vi.advanceTimersByTime(29_999);
  expect([clock.seconds, clock.isRunning, ring.mock.calls.length]).toEqual([1, true, 0]);
  vi.advanceTimersByTime(60_000);
  expect([clock.seconds, clock.isRunning, clock.isUp, ring.mock.calls.length]).toEqual([0, false, true, 1]);
});

test('it stands while it is paused', () => {
  const clock = new HandClock();
  clock.start(120);
  vi.advanceTimersByTime(20_000);
  clock.pause();
  vi.advanceTimersByTime(500_000);
  expect([clock.seconds, clock.isUp]).toEqual([100, false]);
  clock.resume();
  vi.advanceTimersByTime(100_000);
  expect(clock.isUp).toBe(true);
});

test('it takes more time while it runs, stands, or has run out', () => {
  const clock = new HandClock();
  clock.extend(30);
  expect([clock.seconds, clock.isRunning]).toEqual([0, false]);
  clock.start(60);
  vi.advanceTimersByTime(10_000);
  clock.extend(30);
  expect(clock.seconds).toBe(80);
  clock.pause();
  clock.extend(30);
  expect([clock.seconds, clock.isRunning]).toEqual([110, false]);
  clock.resume();
  vi.advanceTimersByTime(110_000);
  expect(clock.isUp).toBe(true);
  clock.extend(30);
  expect([clock.seconds, clock.isRunning, clock.isUp]).toEqual([30, true, false]);
});

test('a reloaded page finds its clock again, running or paused, and no other page does', () => {
  const before = new HandClock(() => {}, 'clock.A');
  before.start(120);
  vi.advanceTimersByTime(20_000);
  before.leave();
  vi.advanceTimersByTime(10_000);
  const ring = vi.fn();
  const running = new HandClock(ring, 'clock.A');
  expect([running.seconds, running.isRunning]).toEqual([90, true]);
  expect(new HandClock(() => {}, 'clock.B').seconds).toBe(0);
  running.pause();
  running.extend(30);
  vi.advanceTimersByTime(500_000);
  const paused = new HandClock(ring, 'clock.A');
  expect([paused.seconds, paused.isRunning, paused.isUp]).toEqual([120, false, false]);
  paused.resume();
  paused.leave();
  vi.advanceTimersByTime(500_000);
  const late = new HandClock(ring, 'clock.A');
  expect([late.seconds, late.isUp, ring.mock.calls.length]).toEqual([0, true, 0]);
  expect(new HandClock(ring, 'clock.A').isUp).toBe(false);
});
