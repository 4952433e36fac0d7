import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cue } from '../protocol/api';
import { fill } from './cover_sound';
import { Narrator } from './narrator.svelte';
import { ScriptPlayer } from './script_player.svelte';
import { partsOf, stepsOf, type Step } from './script_steps';
import { longestFor, readingTime, Speech } from './speech.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const cue = (text: string, more: Partial<Cue> = {}): Cue => ({
  part: 'Night',
  text,
  pause: 0,
  is_aloud: true,
  is_by_hand: false,
  is_dark: false,
  ...more,
});

/** A browser with these voices that reports the end of an utterance after a time, or never. */
class FakeBrowser {
  said: { text: string; lang: string; volume: number; at: number }[] = [];
  listeners: (() => void)[] = [];
  cancelled = 0;

  constructor(
    public voices: { lang: string; localService?: boolean }[],
    private readonly endsAfter: number | null = 500,
  ) {}

  get speech() {
    const synthesizer = {
      getVoices: () => this.voices,
      addEventListener: (_: string, listener: () => void) => this.listeners.push(listener),
      cancel: () => (this.cancelled += 1),
      speak: (one: SpeechSynthesisUtterance) => {
        this.said.push({ text: one.text, lang: one.lang, volume: one.volume, at: Date.now() });
        if (this.endsAfter !== null)
          setTimeout(() => one.onend?.(new Event('end') as SpeechSynthesisEvent), this.endsAfter);
      },
    } as unknown as SpeechSynthesis;
    return new Speech({ synthesizer, utter: (text) => ({ text }) as SpeechSynthesisUtterance });
  }
}

describe('a voice', () => {
  it('is of the language, in the form of every system', () => {
    const speech = new FakeBrowser([{ lang: 'en-US' }, { lang: 'vi_VN' }]).speech;
    expect(speech.voiceFor('vi')?.lang).toBe('vi_VN');
    expect(speech.voiceFor('en')?.lang).toBe('en-US');
  });

  it('is never of another language', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }, { lang: 'vie-X' }]);
    const { speech } = browser;
    expect(speech.canSpeak('vi')).toBe(false);
    expect(await speech.say('Đêm xuống.', 'vi')).toBe(false);
    expect(browser.said).toEqual([]);
  });

  it('that needs no network comes first', () => {
    const speech = new FakeBrowser([{ lang: 'en-GB' }, { lang: 'en-US', localService: true }]).speech;
    expect(speech.voiceFor('en')?.lang).toBe('en-US');
  });

  it('may be listed late', () => {
    const browser = new FakeBrowser([]);
    const { speech } = browser;
    expect(speech.canSpeak('en')).toBe(false);
    browser.voices = [{ lang: 'en-US' }];
    browser.listeners.forEach((listener) => listener());
    expect(speech.canSpeak('en')).toBe(true);
  });

  it('is missing in a WebView, which has no speech', async () => {
    const speech = new Speech({});
    expect(speech.canSpeak('en')).toBe(false);
    expect(await speech.say('Night falls.', 'en')).toBe(false);
    speech.unlock();
    speech.stop();
  });
});

describe('what is said', () => {
  it('goes sentence by sentence', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }]);
    const done = vi.fn();
    void browser.speech.say('Night falls. Close your eyes.', 'en').then(done);
    await vi.advanceTimersByTimeAsync(600);
    expect(browser.said.map(({ text }) => text)).toEqual(['Night falls.', 'Close your eyes.']);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(done).toHaveBeenCalledWith(true);
  });

  it('ends after a time by its length where the browser never reports an end', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }], null);
    const done = vi.fn();
    void browser.speech.say('Night falls', 'en').then(done);
    await vi.advanceTimersByTimeAsync(longestFor('Night falls') - 1);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toHaveBeenCalled();
  });

  it('can be broken off', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }]);
    const { speech } = browser;
    const done = vi.fn();
    void speech.say('One. Two. Three.', 'en').then(done);
    speech.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toHaveBeenCalled();
    expect(browser.said.map(({ text }) => text)).toEqual(['One.']);
    expect(browser.cancelled).toBe(1);
  });
});

describe('a narrator', () => {
  const silence = { play: vi.fn(), stop: vi.fn() };
  const made = (browser: FakeBrowser) => new Narrator(browser.speech, silence as never);

  it('says nothing before a person has chosen this device, and takes the time to read', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }]);
    const narrator = made(browser);
    const done = vi.fn();
    void narrator.say('Night falls.').then(done);
    await vi.advanceTimersByTimeAsync(readingTime('Night falls.') - 1);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toHaveBeenCalled();
    expect(browser.said).toEqual([]);
  });

  it('speaks where it was chosen, at its volume', async () => {
    const browser = new FakeBrowser([{ lang: 'en-US' }]);
    const narrator = made(browser);
    narrator.speakHere(true);
    narrator.volume = 0.4;
    void narrator.say('Night falls.');
    await vi.advanceTimersByTimeAsync(0);
    expect(browser.said.at(-1)).toMatchObject({ text: 'Night falls.', lang: 'en-US', volume: 0.4 });
  });

  it('shows the text alone where the device has no such voice', async () => {
    const browser = new FakeBrowser([{ lang: 'de-DE' }]);
    const narrator = made(browser);
    narrator.speakHere(true);
    const done = vi.fn();
    void narrator.say('Night falls.').then(done);
    await vi.advanceTimersByTimeAsync(readingTime('Night falls.'));
    expect(done).toHaveBeenCalled();
    expect(browser.said.filter(({ text }) => text.trim())).toEqual([]);
  });

  it('covers the night, and only there', () => {
    const narrator = made(new FakeBrowser([]));
    narrator.darken(true);
    expect(silence.play).not.toHaveBeenCalled();
    narrator.speakHere(true);
    expect(silence.play).toHaveBeenLastCalledWith('rain', narrator.volume);
    silence.play.mockClear();
    narrator.darken(false);
    expect(silence.play).not.toHaveBeenCalled();
    expect(silence.stop).toHaveBeenCalled();
  });
});

describe('a script', () => {
  const CUES = [
    cue('Here are the roles.', { part: 'Before' }),
    cue('Close your eyes.', { pause: 5, is_dark: true }),
    cue('Read every line.', { is_aloud: false, is_dark: true }),
    cue('Wolves, open your eyes.', { pause: 8, is_dark: true }),
    cue('Wolves, close your eyes.', { is_dark: true }),
    cue('Open your eyes.', { part: 'Dawn' }),
    cue('If someone was killed:', { part: 'Dawn', is_aloud: false }),
    cue('[Name] was killed.', { part: 'Dawn', is_by_hand: true }),
    cue('Otherwise:', { part: 'Dawn', is_aloud: false }),
    cue('No one was killed.', { part: 'Dawn', is_by_hand: true }),
    cue('Who gave up leaves now.', { part: 'Dawn', is_aloud: false }),
  ];
  const SAID = 1_000;

  let said: string[] = [];
  let player: ScriptPlayer;
  const make = (steps: readonly Step[] = stepsOf(CUES)) =>
    new ScriptPlayer(steps, (text) => {
      said.push(text);
      return new Promise((done) => setTimeout(done, SAID));
    });
  beforeEach(() => {
    said = [];
    player = make();
  });
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  it('has lines with their notes, and parts', () => {
    const steps = stepsOf(CUES);
    expect(steps.map(({ text }) => text)).toEqual(CUES.filter((one) => one.is_aloud).map(({ text }) => text));
    expect(steps[2]?.notes).toEqual(['Read every line.']);
    expect(steps.at(-1)?.notes).toEqual(['Otherwise:', 'Who gave up leaves now.']);
    expect(partsOf(steps)).toEqual([
      { title: 'Before', lines: steps.slice(0, 1), first: 0 },
      { title: 'Night', lines: steps.slice(1, 4), first: 1 },
      { title: 'Dawn', lines: steps.slice(4), first: 4 },
    ]);
  });

  it('waits for a tap before each part, and goes through a part by itself', async () => {
    expect(player.state).toBe('waiting');
    player.play();
    await pass(SAID);
    expect([player.place, player.state]).toEqual([1, 'waiting']);
    player.play();
    expect(player.state).toBe('speaking');
    await pass(SAID);
    expect([player.state, player.left]).toEqual(['pausing', 5_000]);
    await pass(4_999);
    expect(player.place).toBe(1);
    await pass(1);
    expect([player.place, player.state]).toEqual([2, 'speaking']);
    await pass(SAID + 8_000);
    expect(said.slice(1)).toEqual([
      'Close your eyes.',
      'Wolves, open your eyes.',
      'Wolves, close your eyes.',
    ]);
    await pass(SAID);
    expect([player.place, player.state]).toEqual([4, 'waiting']);
  });

  it('leaves lines to a person that may not apply or have words to fill in', async () => {
    player.goTo(4);
    await pass(SAID);
    expect([player.place, player.state, player.step?.hasBlank]).toEqual([5, 'waiting', true]);
    player.next();
    expect([player.place, player.state]).toEqual([6, 'waiting']);
    player.play();
    await pass(SAID);
    expect(said).toEqual(['Open your eyes.', 'No one was killed.']);
    expect(player.state).toBe('done');
  });

  it('stands still while it is paused, and waits for the rest', async () => {
    player.goTo(1);
    await pass(SAID + 2_000);
    player.pause();
    expect([player.state, player.left]).toEqual(['paused', 3_000]);
    await pass(60_000);
    expect(player.place).toBe(1);
    player.play();
    await pass(2_999);
    expect(player.place).toBe(1);
    await pass(1);
    expect(player.place).toBe(2);
  });

  it('says a line that was broken off once more, and its old end means nothing', async () => {
    player.goTo(1);
    await pass(SAID / 2);
    player.pause();
    player.play();
    await pass(SAID / 2);
    expect(player.state).toBe('speaking');
    expect(said).toEqual(['Close your eyes.', 'Close your eyes.']);
  });

  it('repeats, goes back and on', async () => {
    player.goTo(1);
    await pass(SAID + 1_000);
    player.repeat();
    await pass(SAID);
    expect(player.left).toBe(5_000);
    player.next();
    expect([player.place, player.state]).toEqual([2, 'speaking']);
    player.back();
    expect([player.place, player.state]).toEqual([1, 'speaking']);
    player.stop();
    await pass(60_000);
    expect([player.place, player.state]).toEqual([1, 'waiting']);
  });

  it('is dark from the first closed eye until all open theirs, also while it is paused', async () => {
    const dark: string[] = [];
    const look = () => dark.push(`${player.place} ${player.isDark}`);
    look();
    player.play();
    await pass(SAID);
    look(); // the night is offered, no eye is closed
    player.play();
    look();
    await pass(SAID + 5_000 + SAID + 100);
    player.pause();
    look();
    player.play();
    await pass(8_000);
    look();
    await pass(SAID);
    look();
    expect(dark).toEqual(['0 false', '1 false', '1 true', '2 true', '3 true', '4 false']);
  });

  it('has the same times whatever the words of the deal are, for a script of the same lengths', async () => {
    const timeline = async (steps: readonly Step[]) => {
      const [times, begin]: [string[], number] = [[], Date.now()];
      const narrator = new Narrator(new Speech({}), { play: () => {}, stop: () => {} } as never);
      const one = new ScriptPlayer(steps, (text) => {
        times.push(`${Date.now() - begin} ${text.length} ${one.isDark}`);
        return narrator.say(text);
      });
      for (let turn = 0; turn < 60 && one.state !== 'done'; turn += 1) {
        if (one.state === 'waiting') one.play();
        await pass(5_000);
      }
      return times;
    };
    const twin = CUES.map((one) => ({ ...one, text: one.text.replace('Wolves', 'Others') }));
    expect(await timeline(stepsOf(CUES))).toEqual(await timeline(stepsOf(twin)));
  });
});

it('the cover sound is noise that never rests and never clips', () => {
  for (const kind of ['rain', 'fire'] as const) {
    const samples = new Float32Array(16_000);
    fill(samples, kind, 8_000);
    const loudness = (from: number) =>
      Math.sqrt(samples.slice(from, from + 4_000).reduce((sum, one) => sum + one * one, 0) / 4_000);
    for (const from of [0, 4_000, 8_000, 12_000]) expect(loudness(from)).toBeGreaterThan(0.01);
    expect(samples.every((one) => Math.abs(one) <= 1.5)).toBe(true);
  }
});
