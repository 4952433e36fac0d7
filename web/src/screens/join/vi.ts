import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Vào bàn {code}',
  name: 'Tên của bạn',
  join: 'Ngồi vào bàn',
  watch: 'Chỉ xem',
  host: '{name} mở bàn {game} cho {seats} người.',
};
