/** The narrator of this device: whether it speaks here, how loud, and which sound covers the night. */
import { store, stored } from '../protocol/storage';
import { language } from '../text';
import { COVERS, CoverSound, type Cover } from './cover_sound';
import { readingTime, Speech } from './speech.svelte';

export class Narrator {
  /** One device of a table speaks: the one on which a person has chosen it, each time anew. */
  isOn = $state(false);
  cover = $state<Cover>(COVERS.find((one) => one === stored('cover')) ?? 'rain');
  private loudness = $state(Number(stored('narrator.volume') ?? 0.9));
  private isNight = false;
  private endReading: (() => void) | null = null;

  constructor(
    private readonly speech = new Speech(),
    private readonly sound = new CoverSound(),
  ) {
    speech.volume = this.loudness;
  }

  get hasVoice(): boolean {
    return this.speech.canSpeak(language.now);
  }

  get volume(): number {
    return this.loudness;
  }

  set volume(volume: number) {
    this.loudness = this.speech.volume = volume;
    store('narrator.volume', String(volume));
    this.playCover();
  }

  /** Called by a touch, without which browsers neither speak nor play. */
  speakHere(isOn: boolean): void {
    this.isOn = isOn;
    if (isOn) this.speech.unlock();
    else this.speech.stop();
    this.playCover();
  }

  chooseCover(cover: Cover): void {
    this.cover = cover;
    store('cover', cover);
    this.playCover();
  }

  /** Resolves when the line was said; where this device is silent or has no voice, after the time to read it. */
  async say(text: string): Promise<void> {
    this.hush();
    if (this.isOn && (await this.speech.say(text, language.now))) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, readingTime(text));
      this.endReading = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  hush(): void {
    this.endReading?.();
    this.endReading = null;
    this.speech.stop();
  }

  /** Whether eyes are closed. */
  darken(isNight: boolean): void {
    this.isNight = isNight;
    this.playCover();
  }

  private playCover(): void {
    if (this.isOn && this.isNight) this.sound.play(this.cover, this.loudness);
    else this.sound.stop();
  }
}

export const narrator = new Narrator();
