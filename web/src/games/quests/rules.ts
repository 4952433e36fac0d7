/** House rules of both quest games in the lobby. */
import type { Range } from '../game';

/** The times of the preset with a clock for every phase. */
export const TIMES = { propose_seconds: 120, vote_seconds: 45, quest_seconds: 45, shot_seconds: 180 };

const SECONDS = { least: 15, most: 900, step: 15 };
export const RANGES: Record<string, Range> = {
  propose_seconds: { ...SECONDS, first: 120 },
  shot_seconds: { ...SECONDS, first: 180 },
};
