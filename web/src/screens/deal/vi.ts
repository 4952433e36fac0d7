import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Đã chia vai',
  hint: 'Bí mật xem vai của mình, rồi đặt điện thoại xuống mà chơi. Lần chia thứ {number}.',
  hold: 'Giữ để xem vai của bạn',
  watching: 'Đã chia vai cho {count} người. Bạn đang xem.',
  stirring: 'Đang xào bài…',
  leads: '{name} làm đội trưởng đầu tiên.',
  lady: '{name} giữ lá Thiếu Nữ Bên Hồ trước.',
  begins_day: 'Bắt đầu bằng ban ngày: bàn bạc và tố cáo.',
  begins_night: 'Bắt đầu bằng ban đêm: mọi người nhắm mắt lại.',
  script: 'Lời của quản trò',
  script_hint: 'Một người đọc to những lời này. Phần trong ngoặc chỉ dành cho quản trò.',
  pause: 'chờ {count} giây',
  players: 'Quanh bàn',
  again: 'Chia lại',
  again_sure: 'Cất các vai này và chia vai mới?',
  reveal: 'Lật hết các vai',
  reveal_sure: 'Cho mọi người thấy vai của tất cả? Ván này sẽ kết thúc.',
  lobby: 'Về phòng chờ',
  host_only: '{name} sẽ chia lại khi mọi người chơi xong.',
};
