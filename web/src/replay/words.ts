import { speak } from '../words/speak.svelte';
import { en } from './en';
import { vi } from './vi';

export const t = speak(en, vi);
