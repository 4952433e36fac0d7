import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Bàn {code}',
  join_at: 'Vào bàn tại {address}',
  waiting: 'Đang chờ bắt đầu.',
};
