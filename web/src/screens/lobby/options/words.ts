import { name } from '../../../words/speak.svelte';
import { en } from './en';
import { vi } from './vi';

/** A house rule or one of its values, as people call it: `called('lady')`, `called('hammer.vote')`. */
export const called = name(en, vi);
