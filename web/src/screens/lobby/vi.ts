import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Bàn {code}',
  share: 'Người khác vào bàn tại {address}',
  seat: 'Chỗ {number}',
  free: 'Còn trống',
  bot: 'Máy',
  you: 'bạn',
  add_bot: 'Thêm máy',
  fill: 'Thêm máy cho đủ',
  ready: 'Tôi sẵn sàng',
  not_ready: 'Chờ tôi đã',
  is_ready: 'sẵn sàng',
  start: 'Bắt đầu ván chơi',
};
