/** Sounds, synthesized by the browser: silent before the first touch, and while they are switched off. */
import { store, stored } from './protocol/storage';

export type Sound =
  'turn' | 'knock' | 'yes' | 'no' | 'triumph' | 'doom' | 'night' | 'dawn' | 'bell' | 'over' | 'tick';

/** When it begins, how high, how long, how loud. */
type Note = [at: number, hertz: number, seconds: number, loudness: number];

const SCORE: Record<Sound, [shape: OscillatorType, ...notes: Note[]]> = {
  turn: ['sine', [0, 660, 0.18, 0.5], [0.14, 880, 0.3, 0.5]],
  knock: ['triangle', [0, 150, 0.09, 0.9], [0.13, 130, 0.1, 0.7]],
  yes: ['triangle', [0, 392, 0.22, 0.5], [0.1, 523, 0.32, 0.5]],
  no: ['triangle', [0, 294, 0.2, 0.5], [0.12, 220, 0.34, 0.5]],
  triumph: ['triangle', [0, 523, 0.5, 0.4], [0.12, 659, 0.5, 0.4], [0.24, 784, 0.8, 0.45]],
  doom: ['sawtooth', [0, 110, 0.9, 0.28], [0.05, 117, 0.9, 0.28], [0.35, 82, 1.1, 0.3]],
  night: ['sine', [0, 330, 0.7, 0.35], [0.35, 247, 1.1, 0.35]],
  dawn: ['sine', [0, 392, 0.5, 0.35], [0.25, 494, 0.5, 0.35], [0.5, 587, 0.9, 0.35]],
  bell: ['sine', [0, 880, 1.4, 0.4], [0, 1318, 0.9, 0.18]],
  over: ['triangle', [0, 392, 0.5, 0.4], [0.2, 494, 0.5, 0.4], [0.4, 587, 0.5, 0.4], [0.6, 784, 1.4, 0.45]],
  tick: ['square', [0, 1100, 0.03, 0.12]],
};

let isOn = $state(stored('sound') !== 'off');
let air: AudioContext | null = null;

export const sound = {
  get isOn(): boolean {
    return isOn;
  },
  toggle(): void {
    isOn = !isOn;
    store('sound', isOn ? 'on' : 'off');
    if (isOn) play('turn');
  },
};

/** Browsers allow sound after the first touch. */
export function listenForTouch(): void {
  const wake = () => {
    removeEventListener('pointerdown', wake);
    removeEventListener('keydown', wake);
    if (typeof AudioContext !== 'undefined') air = new AudioContext();
  };
  addEventListener('pointerdown', wake);
  addEventListener('keydown', wake);
}

export function play(name: Sound): void {
  if (!isOn || !air) return;
  const [shape, ...notes] = SCORE[name];
  for (const note of notes) strike(air, shape, note);
}

function strike(context: AudioContext, shape: OscillatorType, [at, hertz, seconds, loudness]: Note): void {
  const from = context.currentTime + at;
  const tone = new OscillatorNode(context, { type: shape, frequency: hertz });
  const hush = new GainNode(context, { gain: 0 });
  hush.gain.setValueAtTime(0, from);
  hush.gain.linearRampToValueAtTime(loudness * 0.25, from + 0.012);
  hush.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  tone.connect(hush).connect(context.destination);
  tone.start(from);
  tone.stop(from + seconds + 0.05);
}
