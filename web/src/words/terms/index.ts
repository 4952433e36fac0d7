import { name } from '../speak.svelte';
import { en } from './en';
import { vi } from './vi';

/** A role, side, card, game or reason, as the players call it. */
export const term = name(en, vi);
