import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { turn } from '../turn.svelte';
import { calls } from './calls.svelte';

type Shown = { title: string; body: string; isOpen: boolean };
let shown: Shown[];
let asked: number;
let answer: NotificationPermission;
const buzz = vi.fn();

beforeEach(() => {
  shown = [];
  asked = 0;
  answer = 'granted';
  buzz.mockClear();
  class FakeNotification {
    static permission: NotificationPermission = 'default';
    static async requestPermission() {
      asked += 1;
      return (FakeNotification.permission = answer);
    }
    onclick: (() => void) | null = null;
    private readonly own: Shown;
    constructor(title: string, { body = '' }: NotificationOptions) {
      this.own = { title, body, isOpen: true };
      shown.push(this.own);
    }
    close() {
      this.own.isOpen = false;
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
  vi.stubGlobal('navigator', { vibrate: buzz, userActivation: { hasBeenActive: true } });
  vi.stubGlobal('document', { visibilityState: 'hidden' });
});
afterEach(async () => {
  calls.end();
  await calls.choose('title', true);
  await calls.choose('vibration', true);
  await calls.choose('notification', false);
  vi.unstubAllGlobals();
});

const begin = () => calls.begin('Your turn', 'Table K7MPQ2');

test('a turn is said in the title and by vibration, and the title stops when it is done', () => {
  begin();
  expect([turn.isCalled, buzz.mock.calls.length]).toEqual([true, 1]);
  calls.end();
  expect([turn.isCalled, buzz.mock.calls.length]).toEqual([false, 1]);
});

test('no permission is asked for before the setting is tapped', async () => {
  begin();
  expect([asked, shown]).toEqual([0, []]);
  await calls.choose('notification', true);
  expect(asked).toBe(1);
});

test('a hidden page notifies, and says no more than that it is your turn, and where', async () => {
  await calls.choose('notification', true);
  begin();
  expect(shown).toEqual([{ title: 'Your turn', body: 'Table K7MPQ2', isOpen: true }]);
  calls.end();
  expect(shown[0]?.isOpen).toBe(false);
});

test('a page that is looked at does not notify', async () => {
  await calls.choose('notification', true);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  begin();
  expect(shown).toEqual([]);
});

test('a notification goes when the page is looked at', async () => {
  await calls.choose('notification', true);
  begin();
  calls.seen();
  expect([shown[0]?.isOpen, turn.isCalled]).toEqual([false, true]);
});

test('a refused permission leaves the setting off, and is told', async () => {
  answer = 'denied';
  await calls.choose('notification', true);
  expect([calls.isOn('notification'), calls.isRefused]).toEqual([false, true]);
  begin();
  expect(shown).toEqual([]);
});

test('each way can be switched off', async () => {
  await calls.choose('title', false);
  await calls.choose('vibration', false);
  begin();
  expect([turn.isCalled, buzz.mock.calls.length]).toEqual([false, 0]);
});

test('before the first touch nothing vibrates', () => {
  vi.stubGlobal('navigator', { vibrate: buzz, userActivation: { hasBeenActive: false } });
  begin();
  expect(buzz).not.toHaveBeenCalled();
});
