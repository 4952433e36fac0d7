/** Browser speech: a voice of the language of the text or none, and an end even where the browser never reports one. */

/** Milliseconds after which a sentence counts as said, by its length; the slowest voices need less. */
export const longestFor = (text: string) => 3_000 + 130 * text.length;
/** How long a line stands where no voice says it: the time to read it, the same for all lines of this length. */
export const readingTime = (text: string) => 1_500 + 60 * text.length;

type Synthesizer = Pick<SpeechSynthesis, 'speak' | 'cancel' | 'getVoices'> &
  Partial<Pick<SpeechSynthesis, 'addEventListener' | 'resume'>>;
export type Device = {
  synthesizer?: Synthesizer | undefined;
  utter?: ((text: string) => SpeechSynthesisUtterance) | undefined;
};

/** What this browser can do; WebViews have no speech at all. */
const thisDevice = (): Device => ({
  synthesizer: 'speechSynthesis' in globalThis ? globalThis.speechSynthesis : undefined,
  utter: 'SpeechSynthesisUtterance' in globalThis ? (text) => new SpeechSynthesisUtterance(text) : undefined,
});

export class Speech {
  volume = $state(1);
  private voices = $state.raw<readonly SpeechSynthesisVoice[]>([]);
  private stopNow: (() => void) | null = null;

  constructor(private readonly device: Device = thisDevice()) {
    this.look();
    // Chromium and Android list their voices late, some of them more than once
    device.synthesizer?.addEventListener?.('voiceschanged', () => this.look());
  }

  /** The voice for a language, one that needs no network first; never one of another language. */
  voiceFor(language: string): SpeechSynthesisVoice | null {
    const fitting = this.voices.filter(({ lang }) => languageOf(lang) === languageOf(language));
    return fitting.find(({ localService }) => localService) ?? fitting[0] ?? null;
  }

  canSpeak(language: string): boolean {
    return this.voiceFor(language) !== null && this.device.utter !== undefined;
  }

  /** Says it, sentence by sentence; resolves when it is said or stopped. False where there is no voice. */
  async say(text: string, language: string): Promise<boolean> {
    this.stop();
    if (!this.canSpeak(language)) return false;
    let isStopped = false;
    for (const sentence of sentencesIn(text)) {
      await new Promise<void>((done) => {
        this.stopNow = () => {
          isStopped = true;
          done();
        };
        this.utter(sentence, language, done);
      });
      if (isStopped) return true;
    }
    this.stopNow = null;
    return true;
  }

  stop(): void {
    const stop = this.stopNow;
    this.stopNow = null;
    if (!stop) return;
    this.device.synthesizer?.cancel();
    stop();
  }

  /** iOS speaks only after a touch that spoke itself: says nothing, at once. */
  unlock(): void {
    const { synthesizer, utter } = this.device;
    if (!synthesizer || !utter) return;
    const silent = utter(' ');
    silent.volume = 0;
    synthesizer.speak(silent);
  }

  private look(): void {
    this.voices = this.device.synthesizer?.getVoices() ?? [];
  }

  private utter(sentence: string, language: string, done: () => void): void {
    const { synthesizer, utter } = this.device;
    const voice = this.voiceFor(language);
    if (!synthesizer || !utter || !voice) return done();
    const utterance = utter(sentence);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.volume = this.volume;
    utterance.rate = 0.95;
    const giveUp = setTimeout(end, longestFor(sentence));
    function end() {
      clearTimeout(giveUp);
      utterance.onend = utterance.onerror = null;
      done();
    }
    utterance.onend = utterance.onerror = end;
    synthesizer.resume?.(); // Chromium stays paused after a tab was hidden
    synthesizer.speak(utterance);
  }
}

/** Short utterances: Chromium cuts long ones off. */
const sentencesIn = (text: string) => text.split(/(?<=[.!?…:])\s+/).filter(Boolean);
/** `vi` of `vi-VN` and of Android's `vi_VN`. */
const languageOf = (tag: string) => (tag.split(/[-_]/)[0] ?? '').toLowerCase();
