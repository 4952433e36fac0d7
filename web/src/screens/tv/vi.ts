import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  join_at: 'Quét mã, hoặc vào {address} và gõ',
  scan: 'Mã cho máy ảnh điện thoại: dẫn đến bàn {code}.',
  shut: 'Bàn đã đóng, hoặc không cho xem.',
  latest: 'Chuyện đã xảy ra',
  victory: '{side} thắng',
  no_victory: 'Không phe nào thắng',
  come: 'Mời ngồi vào bàn: còn {count} chỗ',
  full: 'Bàn đã đủ người',
  free: 'trống',
  bot: 'máy chơi',
  ready: 'sẵn sàng',
};
