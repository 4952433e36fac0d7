/** What every tray in which seats are chosen is given. */
import type { Live } from '../../table/live.svelte';
import type { Choice } from './choice.svelte';
import type { Sender } from './sender.svelte';
import type { Task } from './task';

export type Choosing<Kind extends Task['is']> = {
  live: Live;
  task: Extract<Task, { is: Kind }>;
  choice: Choice;
  sender: Sender;
};
