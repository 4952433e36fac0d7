import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Vào bàn {code}',
  name: 'Tên của bạn',
  join: 'Ngồi vào bàn',
  watch: 'Chỉ xem',
  watch_until_next: 'Xem cho tới ván sau',
  host: '{name} mở bàn {game} cho {seats} người.',
  no_host: 'Bàn {game} cho {seats} người.',
  deal_only: 'Điện thoại sẽ cho bạn biết vai; mọi người chơi trực tiếp quanh bàn thật.',
  free: 'Còn {free}/{seats} chỗ trống.',
  here: 'Đã vào bàn: {names}.',
  full: 'Bàn đã đủ người. Bạn cứ xem cho tới khi có chỗ trống, rồi chạm vào chỗ đó để ngồi.',
  full_closed: 'Bàn đã đủ người và chủ phòng không cho xem. Hãy nhờ chủ phòng mở bàn lớn hơn.',
  playing: 'Bàn đang chơi. Bạn có thể vào xem ngay, rồi ngồi vào ván sau.',
  playing_closed: 'Bàn đang chơi và chủ phòng không cho xem. Hãy quay lại khi ván này kết thúc.',
  unknown: 'Không có bàn nào mang mã {code}. Hãy hỏi lại: có thể bàn đã đóng, hoặc bạn nghe nhầm mã.',
  looking: 'Đang tìm bàn…',
  refresh: 'Tìm lại',
  elsewhere: 'Về trang đầu',
};
