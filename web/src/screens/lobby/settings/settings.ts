/** What the host may choose about a room, and the control for each (docs/room-requests.md, Settings). */
import type { Settings } from '../../../protocol/messages';
import { onlyDeals } from './in_person';

type Range = { least: number; most: number; step: number; first: number };
export type Setting = {
  name: Exclude<keyof Settings, 'in_person'>;
  matters: (chosen: Settings) => boolean;
} & (
  { is: 'toggle' } | { is: 'bot' } | { is: 'pace' } | ({ is: 'seconds'; off: 0 | null | undefined } & Range)
);

const always = () => true;
const isPlayed = (chosen: Settings) => !onlyDeals(chosen);

/** `off` is what stands for no time at all; where it is undefined, there always is one. */
export const SETTINGS: readonly Setting[] = [
  { name: 'is_public', is: 'toggle', matters: always },
  { name: 'has_chat', is: 'toggle', matters: always },
  { name: 'has_spectators', is: 'toggle', matters: always },
  { name: 'has_moderator', is: 'toggle', matters: onlyDeals },
  {
    name: 'spectator_delay',
    is: 'seconds',
    off: 0,
    least: 15,
    most: 600,
    step: 15,
    first: 60,
    matters: (chosen) => chosen.has_spectators !== false && isPlayed(chosen),
  },
  {
    name: 'takeover_seconds',
    is: 'seconds',
    off: null,
    least: 15,
    most: 600,
    step: 15,
    first: 60,
    matters: isPlayed,
  },
  {
    name: 'idle_seconds',
    is: 'seconds',
    off: null,
    least: 30,
    most: 900,
    step: 30,
    first: 180,
    matters: isPlayed,
  },
  {
    name: 'takeover_bot',
    is: 'bot',
    matters: (chosen) => isPlayed(chosen) && (chosen.takeover_seconds ?? chosen.idle_seconds) !== null,
  },
  {
    name: 'bot_pace',
    is: 'pace',
    matters: isPlayed,
  },
  {
    name: 'bots_speak',
    is: 'toggle',
    matters: isPlayed,
  },
  {
    name: 'contribution_seconds',
    is: 'seconds',
    off: 0,
    least: 5,
    most: 60,
    step: 5,
    first: 10,
    matters: always,
  },
  {
    name: 'look_seconds',
    is: 'seconds',
    off: 0,
    least: 5,
    most: 60,
    step: 5,
    first: 15,
    matters: isPlayed,
  },
];
