import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  welcome: 'Mời bạn vào bàn',
  pitch: 'Vai ẩn, nhiệm vụ và những lời nói dối. Ngay trên điện thoại, ngay tối nay.',
  name: 'Tên của bạn',
  play_now: 'Chơi ngay với máy',
  create: 'Mở bàn cho bạn bè',
  code: 'Mã bàn',
  join: 'Vào bàn',
  rules: 'Xem luật chơi',
  need_name: 'Hãy nhập tên trước.',
};
