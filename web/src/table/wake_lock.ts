/** Keeps the screen on: by a wake lock, or by a playing video where there is none. */

/** Returns a function that ends it. */
export function keepScreenOn(): () => void {
  const asked = 'wakeLock' in navigator ? byAsking() : null;
  return asked ?? byPlaying();
}

function byAsking(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isWanted = true;
  const take = async () => {
    if (!isWanted || document.visibilityState !== 'visible') return;
    lock = await navigator.wakeLock.request('screen').catch(() => null); // a low battery may refuse
    if (!isWanted) void lock?.release();
  };
  document.addEventListener('visibilitychange', take);
  void take();
  return () => {
    isWanted = false;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}

/** Plain HTTP has no wake lock; a playing video keeps the screen on, from the first touch. */
function byPlaying(): () => void {
  const film = document.createElement('video');
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 2;
  const brush = canvas.getContext('2d');
  if (!brush || !('captureStream' in canvas)) return () => {};
  film.muted = true;
  film.playsInline = true;
  film.srcObject = canvas.captureStream(1);
  const drawing = setInterval(() => brush.fillRect(0, 0, 2, 2), 1_000);
  const begin = () => void film.play().catch(() => {});
  begin();
  addEventListener('pointerdown', begin, { once: true });
  return () => {
    clearInterval(drawing);
    removeEventListener('pointerdown', begin);
    film.pause();
    film.srcObject = null;
  };
}
