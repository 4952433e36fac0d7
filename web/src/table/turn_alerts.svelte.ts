/** The ways in which a player is told that it is their turn: the title of the tab, vibration, a notification. None of them tells a secret. */
import { store, stored } from '../protocol/storage';
import { turn } from '../turn.svelte';

export type Way = 'title' | 'vibration' | 'notification';

const BUZZ = [120, 90, 120]; // milliseconds on, off, on

/** A notification needs a permission, so it is off until the player switches it on. */
const chosen = $state<Record<Way, boolean>>({
  title: stored('turn_alert.title') !== 'off',
  vibration: stored('turn_alert.vibration') !== 'off',
  notification: stored('turn_alert.notification') === 'on',
});
let isRefused = $state(false);
let shown: Notification | null = null;

const permission = (): NotificationPermission | null =>
  typeof Notification === 'undefined' ? null : Notification.permission;

export const turnAlerts = {
  isOn: (way: Way): boolean => chosen[way] && (way !== 'notification' || permission() === 'granted'),

  canVibrate: (): boolean => typeof navigator !== 'undefined' && 'vibrate' in navigator,

  /** Whether the browser has refused notifications, or has none to offer. */
  get isRefused(): boolean {
    return isRefused || permission() === null;
  },

  /** Switches a way on or off; this tap, and nothing else, asks for the permission that a notification needs. */
  async choose(way: Way, isOn: boolean): Promise<void> {
    chosen[way] = isOn && (way !== 'notification' || (await isPermitted()));
    store(`turn_alert.${way}`, chosen[way] ? 'on' : 'off');
    if (way === 'notification') isRefused = isOn && !chosen[way];
    if (way === 'vibration' && isOn) buzz();
  },

  /** The table waits for this player. */
  begin(title: string, table: string): void {
    turn.isInTitle = chosen.title;
    if (chosen.vibration) buzz();
    if (this.isOn('notification') && document.visibilityState === 'hidden') notify(title, table);
  },

  /** The player has done it, or the table waits for others now. */
  end(): void {
    turn.isInTitle = false;
    this.seen();
  },

  /** The page is looked at: the notification has done its work. */
  seen(): void {
    shown?.close();
    shown = null;
  },
};

async function isPermitted(): Promise<boolean> {
  if (permission() === null) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** A browser refuses to vibrate before the first touch, and complains. */
function buzz(): void {
  if (turnAlerts.canVibrate() && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(BUZZ);
}

function notify(title: string, table: string): void {
  shown?.close();
  try {
    shown = new Notification(title, { body: table, tag: table, icon: '/icon-192.png' });
    shown.onclick = () => {
      window.focus();
      turnAlerts.seen();
    };
  } catch {
    isRefused = true; // Chrome on Android has them for installed apps alone
  }
}
