import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { turn } from '../turn.svelte';
import { turnAlerts } from './turn_alerts.svelte';

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
  turnAlerts.end();
  await turnAlerts.choose('title', true);
  await turnAlerts.choose('vibration', true);
  await turnAlerts.choose('notification', false);
  vi.unstubAllGlobals();
});

const begin = () => turnAlerts.begin('Your turn', 'Table K7MPQ2');

test('a turn is said in the title and by vibration, and the title stops when it is done', () => {
  begin();
  expect([turn.isInTitle, buzz.mock.calls.length]).toEqual([true, 1]);
  turnAlerts.end();
  expect([turn.isInTitle, buzz.mock.calls.length]).toEqual([false, 1]);
});

test('no permission is asked for before the setting is tapped', async () => {
  begin();
  expect([asked, shown]).toEqual([0, []]);
  await turnAlerts.choose('notification', true);
  expect(asked).toBe(1);
});

test('a hidden page notifies, and says no more than that it is your turn, and where', async () => {
  await turnAlerts.choose('notification', true);
  begin();
  expect(shown).toEqual([{ title: 'Your turn', body: 'Table K7MPQ2', isOpen: true }]);
  turnAlerts.end();
  expect(shown[0]?.isOpen).toBe(false);
});

test('a page that is looked at does not notify', async () => {
  await turnAlerts.choose('notification', true);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  begin();
  expect(shown).toEqual([]);
});

test('a notification goes when the page is looked at', async () => {
  await turnAlerts.choose('notification', true);
  begin();
  turnAlerts.seen();
  expect([shown[0]?.isOpen, turn.isInTitle]).toEqual([false, true]);
});

test('a refused permission leaves the setting off, and is told', async () => {
  answer = 'denied';
  await turnAlerts.choose('notification', true);
  expect([turnAlerts.isOn('notification'), turnAlerts.isRefused]).toEqual([false, true]);
  begin();
  expect(shown).toEqual([]);
});

test('each way can be switched off', async () => {
  await turnAlerts.choose('title', false);
  await turnAlerts.choose('vibration', false);
  begin();
  expect([turn.isInTitle, buzz.mock.calls.length]).toEqual([false, 0]);
});

test('before the first touch nothing vibrates', () => {
  vi.stubGlobal('navigator', { vibrate: buzz, userActivation: { hasBeenActive: false } });
  begin();
  expect(buzz).not.toHaveBeenCalled();
});
