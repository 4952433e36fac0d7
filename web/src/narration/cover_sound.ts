/** A sound that covers taps and rustling while eyes are closed: rain or a fire, of filtered noise; it never changes. */
export const COVERS = ['rain', 'fire', 'off'] as const;
export type Cover = (typeof COVERS)[number];

const SECONDS = 6; // of noise, played in a loop
const LOUDNESS: Record<Exclude<Cover, 'off'>, number> = { rain: 0.5, fire: 0.8 };

export class CoverSound {
  private context: AudioContext | null = null;
  private loop: { source: AudioBufferSourceNode; gain: GainNode; kind: Cover } | null = null;

  /** Plays this sound at this volume, or none; asking twice changes nothing. */
  play(kind: Cover, volume: number): void {
    if (kind === 'off' || typeof AudioContext === 'undefined') return this.stop();
    if (this.loop?.kind !== kind) {
      this.stop();
      this.loop = this.begin(kind);
    }
    const { context, loop } = this;
    if (context && loop)
      loop.gain.gain.linearRampToValueAtTime(LOUDNESS[kind] * volume, context.currentTime + 0.6);
  }

  stop(): void {
    const { context, loop } = this;
    this.loop = null;
    if (!context || !loop) return;
    loop.gain.gain.linearRampToValueAtTime(0, context.currentTime + 0.6);
    loop.source.stop(context.currentTime + 0.7);
  }

  private begin(kind: Exclude<Cover, 'off'>) {
    const context = (this.context ??= new AudioContext());
    void context.resume(); // suspended before the first touch
    const source = new AudioBufferSourceNode(context, { buffer: noise(context, kind), loop: true });
    const filter = new BiquadFilterNode(context, {
      type: kind === 'rain' ? 'highpass' : 'lowpass',
      frequency: kind === 'rain' ? 900 : 700,
    });
    const gain = new GainNode(context, { gain: 0 });
    source.connect(filter).connect(gain).connect(context.destination);
    source.start();
    return { source, gain, kind };
  }
}

function noise(context: AudioContext, kind: Exclude<Cover, 'off'>): AudioBuffer {
  const buffer = context.createBuffer(1, SECONDS * context.sampleRate, context.sampleRate);
  fill(buffer.getChannelData(0), kind, context.sampleRate);
  return buffer;
}

/** Rain is soft white noise; a fire is brown noise with crackles. */
export function fill(samples: Float32Array, kind: Exclude<Cover, 'off'>, rate: number): void {
  let low = 0;
  let crackle = 0;
  for (let place = 0; place < samples.length; place += 1) {
    const white = Math.random() * 2 - 1;
    low = (low + 0.02 * white) / 1.02;
    if (Math.random() < 9 / rate) crackle = 0.5 + Math.random() * 0.5;
    crackle *= 0.992;
    samples[place] = kind === 'rain' ? white * 0.25 : low * 3 + crackle * white * 0.5;
  }
}
