/** A narrator's script as steps: the lines that are said, each with the notes that stand before it. */
import type { Cue } from '../protocol/api';

export type Step = {
  part: string;
  text: string;
  /** What only the narrator reads: before the line or, after the last line of a part, behind it. */
  notes: readonly string[];
  /** Seconds to wait after it. */
  pause: number;
  /** Said only where it applies, so never by itself. */
  isByHand: boolean;
  /** Whether a person has to say it, since it has words to fill in. */
  hasBlank: boolean;
  /** Whether eyes are closed, so that the cover sound plays. */
  isDark: boolean;
};

export function stepsOf(cues: readonly Cue[]): Step[] {
  const steps: Step[] = [];
  let notes: string[] = [];
  const closePart = () => {
    const last = steps.at(-1);
    if (last && notes.length) steps[steps.length - 1] = { ...last, notes: [...last.notes, ...notes] };
    notes = [];
  };
  let part = '';
  for (const cue of cues) {
    if (cue.part !== part) closePart();
    part = cue.part;
    if (!cue.is_aloud) {
      notes.push(cue.text);
      continue;
    }
    const { text, pause, is_by_hand: isByHand, is_dark: isDark } = cue;
    steps.push({ part, text, notes, pause, isByHand, hasBlank: text.includes('['), isDark });
    notes = [];
  }
  closePart();
  return steps;
}

export type Part<Line> = { title: string; lines: readonly Line[]; first: number };

/** The parts of a script in order, each with its lines and the place of the first. */
export function partsOf<Line extends { part: string }>(script: readonly Line[]): Part<Line>[] {
  const firsts = script.flatMap(({ part }, place) => (script[place - 1]?.part === part ? [] : [place]));
  return firsts.map((first, part) => {
    const lines = script.slice(first, firsts[part + 1]);
    return { title: lines[0]?.part ?? '', lines, first };
  });
}
