import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Luật chơi',
  pitch: 'Ba trò chơi vai ẩn. Mỗi trò đọc năm phút là chơi được.',
  games: 'Chọn trò',
  parts: 'Các phần của luật',
  avalon_pitch: 'Phe Xanh cần ba nhiệm vụ, Phe Đỏ ẩn trong đó, và Merlin không được để lộ. 5 đến 10 người.',
  thavalon_pitch:
    'Avalon mà ai cũng có nhân vật riêng, và không ai biết trong ván có những ai. 5 đến 10 người.',
  saviom_pitch: 'Ban đêm Sói đi cắn, ban ngày cả làng xử. 6 đến 12 người.',
  unknown: 'Ở đây không có trò nào như vậy.',
  choices: 'Những gì bàn chơi được chọn',
  choices_hint: 'Chủ phòng chọn những điều này trước ván, ở phòng chờ.',
};
