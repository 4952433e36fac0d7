import type { Same } from '../speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  brand: 'Bàn Tròn',
  language: 'Ngôn ngữ',
  english: 'English',
  vietnamese: 'Tiếng Việt',
  theme: 'Sáng hoặc tối',
  back: 'Quay lại',
  home: 'Về trang đầu',
  loading: 'Chờ một chút…',
  lost: 'Mất kết nối. Đang thử lại…',
  connecting: 'Đang kết nối…',
  gone: 'Bàn này không còn, hoặc bạn không còn chỗ ở đây.',
  nothing_here: 'Không có gì ở địa chỉ này.',
  failed: 'Không tải được phần này của trang.',
  again: 'Thử lại',
  close: 'Đóng',
  fewer: 'Bớt',
  more: 'Thêm',
  rules: 'Luật chơi',
};
