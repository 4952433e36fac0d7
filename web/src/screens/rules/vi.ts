import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Luật chơi',
  choose: 'Hãy chọn một trò.',
};
