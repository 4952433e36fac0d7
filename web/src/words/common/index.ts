import { speak } from '../speak.svelte';
import { en } from './en';
import { vi } from './vi';

export const common = speak(en, vi);
