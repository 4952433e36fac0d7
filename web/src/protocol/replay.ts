/** A replay: the events that one listener heard, and the view after each. */
import { Fault } from './fault';
import { gameReplay, type Replay } from './api';
import type { Event, Room, View } from './messages';

/** Whose events a replay shows: all, a spectator's, or one seat's. */
export type Eyes = 'all' | 'spectator' | number;

/** A stop of a replay: `numbers` are those of the server's steps in it, `botSeats` moved in them and can say why. */
export type Step = {
  events: readonly Event[];
  view: View;
  numbers: readonly number[];
  botSeats: readonly number[];
};
export type Replayed = {
  game: string;
  names: readonly string[];
  rounds: Room['rounds'];
  steps: readonly Step[];
};

export async function replayed(code: string, number: number, eyes: Eyes): Promise<Replayed> {
  return unfolded(await gameReplay(code, number, String(eyes)));
}

/** Each step contains the fields of the view that changed. */
function unfolded({ game, names, rounds, steps, bot_moves: moves = [] }: Replay): Replayed {
  let view = {} as View;
  const unfolded = steps.map((step, number) => {
    view = { ...view, ...(step.changes as View) };
    const botSeats = moves.filter((move) => move.step === number).map(({ seat }) => seat);
    return { events: step.events as Event[], view, numbers: [number], botSeats };
  });
  if (!unfolded.length) throw new Fault('record/broken', 'There is nothing in this game.');
  return { game, names, rounds: rounds as Room['rounds'], steps: unfolded };
}

/** What follows a deal although no player does anything. */
const WITHOUT_PLAYERS = ['FloorGiven', 'ClockPaused', 'ClockResumed', 'GameEnded', 'SecretsRevealed'];

/** Whether anything was played after the deal; not in a game that was dealt here and played face to face. */
export function wasPlayed(events: readonly Event[]): boolean {
  const dealt = events.findIndex(({ is }) => is === 'PhaseBegan');
  return dealt >= 0 && events.slice(dealt + 1).some(({ is }) => !WITHOUT_PLAYERS.includes(is));
}

/** Merges steps that are not worth a stop, such as a ballot before the count, into the next one. */
export function gathered(steps: readonly Step[], isWorthAStop: (event: Event) => boolean): Step[] {
  const stops: Step[] = [];
  let waiting: Step[] = [];
  for (const step of steps) {
    waiting.push(step);
    if (!step.events.some(isWorthAStop)) continue;
    stops.push(merged(waiting));
    waiting = [];
  }
  if (waiting.some(({ events }) => events.length)) stops.push(merged(waiting));
  return stops;
}

const merged = (steps: readonly Step[]): Step => ({
  events: steps.flatMap(({ events }) => events),
  view: (steps.at(-1) as Step).view,
  numbers: steps.flatMap(({ numbers }) => numbers),
  botSeats: [...new Set(steps.flatMap(({ botSeats }) => botSeats))],
});
