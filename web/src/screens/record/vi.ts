import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Ván {number} ở bàn {code}',
  none: 'Không có ván này',
};
