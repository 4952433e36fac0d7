import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Ván {number} ở bàn {code}',
  lines: '{count} dòng, từ lúc chia bài đến khi kết thúc.',
};
