/** Sounds, synthesized by the browser: silent before the first touch, and while they are switched off. */
import { store, stored } from './protocol/storage';

/** A sound follows from a public event alone, so every device at the table plays the same. */
export type Sound =
  | 'deal'
  | 'turn'
  | 'knock'
  | 'yes'
  | 'no'
  | 'triumph'
  | 'doom'
  | 'night'
  | 'dawn'
  | 'death'
  | 'bell'
  | 'light_wins'
  | 'dark_wins'
  | 'over'
  | 'tick';
/** When it begins, how high, how long, how loud. */
type Note = [at: number, hertz: number, seconds: number, loudness: number];
type Instrument = OscillatorType | 'card';

const SCORE: Record<Sound, [played: Instrument, ...notes: Note[]]> = {
  deal: ['card', ...[0, 0.11, 0.22, 0.33, 0.44].map((at): Note => [at, 2_600, 0.09, 0.7])],
  turn: ['sine', [0, 660, 0.18, 0.5], [0.14, 880, 0.3, 0.5]],
  knock: ['triangle', [0, 150, 0.09, 0.9], [0.13, 130, 0.1, 0.7]],
  yes: ['triangle', [0, 392, 0.22, 0.5], [0.1, 523, 0.32, 0.5]],
  no: ['triangle', [0, 294, 0.2, 0.5], [0.12, 220, 0.34, 0.5]],
  triumph: ['triangle', [0, 523, 0.5, 0.4], [0.12, 659, 0.5, 0.4], [0.24, 784, 0.8, 0.45]],
  doom: ['sawtooth', [0, 110, 0.9, 0.28], [0.05, 117, 0.9, 0.28], [0.35, 82, 1.1, 0.3]],
  night: ['sine', [0, 330, 0.7, 0.35], [0.35, 247, 1.1, 0.35]],
  dawn: ['sine', [0, 392, 0.5, 0.35], [0.25, 494, 0.5, 0.35], [0.5, 587, 0.9, 0.35]],
  death: ['sine', [0, 196, 1.8, 0.5], [0, 392, 0.9, 0.16], [0.7, 147, 2.2, 0.5], [0.7, 294, 1.1, 0.14]],
  bell: ['sine', [0, 880, 1.4, 0.4], [0, 1318, 0.9, 0.18]],
  light_wins: [
    'triangle',
    [0, 392, 0.4, 0.4],
    [0.16, 523, 0.4, 0.4],
    [0.32, 659, 0.4, 0.4],
    [0.48, 784, 1.6, 0.45],
    [0.48, 523, 1.6, 0.3],
  ],
  dark_wins: [
    'triangle',
    [0, 294, 0.5, 0.4],
    [0.2, 277, 0.5, 0.4],
    [0.4, 220, 0.6, 0.45],
    [0.7, 147, 2, 0.5],
    [0.7, 175, 2, 0.3],
  ],
  over: ['triangle', [0, 392, 0.5, 0.4], [0.2, 494, 0.5, 0.4], [0.4, 587, 0.5, 0.4], [0.6, 784, 1.4, 0.45]],
  tick: ['square', [0, 1100, 0.03, 0.12]],
};

const USUAL_VOLUME = 7; // of 10
const isVolume = (number: number) => number >= 1 && number <= 10;

let isOn = $state(stored('sound') !== 'off');
let volume = $state([Number(stored('volume'))].find(isVolume) ?? USUAL_VOLUME);
let air: AudioContext | null = null;

export const sound = {
  get isOn(): boolean {
    return isOn;
  },
  /** From 1 to 10. */
  get volume(): number {
    return volume;
  },
  toggle(): void {
    isOn = !isOn;
    store('sound', isOn ? 'on' : 'off');
    if (isOn) play('turn');
  },
  turnTo(wanted: number): void {
    volume = wanted;
    store('volume', String(wanted));
    play('turn');
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
  const [played, ...notes] = SCORE[name];
  for (const note of notes) strike(air, played, note);
}

function strike(context: AudioContext, played: Instrument, [at, hertz, seconds, loudness]: Note): void {
  const from = context.currentTime + at;
  const hush = new GainNode(context, { gain: 0 });
  hush.gain.setValueAtTime(0, from);
  hush.gain.linearRampToValueAtTime((loudness * 0.25 * volume) / USUAL_VOLUME, from + 0.012);
  hush.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  const source =
    played === 'card'
      ? swish(context, seconds)
      : new OscillatorNode(context, { type: played, frequency: hertz });
  const tone =
    played === 'card'
      ? source.connect(new BiquadFilterNode(context, { type: 'bandpass', frequency: hertz }))
      : source;
  tone.connect(hush).connect(context.destination);
  source.start(from);
  source.stop(from + seconds + 0.05);
}

/** A card that slides over the table: noise. */
function swish(context: AudioContext, seconds: number): AudioBufferSourceNode {
  const noise = new AudioBuffer({
    length: Math.ceil(context.sampleRate * seconds),
    sampleRate: context.sampleRate,
  });
  const wave = noise.getChannelData(0);
  for (let at = 0; at < wave.length; at++) wave[at] = Math.random() * 2 - 1;
  return new AudioBufferSourceNode(context, { buffer: noise });
}
