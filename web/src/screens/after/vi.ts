import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  rematch: 'Chơi lại',
  rematch_keeps: 'Ai cũng giữ chỗ của mình.',
  rematch_waits: '{host} có thể mở ván mới; chỗ của bạn vẫn còn.',
  rematch_watching: 'Khi bàn được bày lại, bạn có thể ngồi vào chỗ trống.',
  stays: 'Ván này có địa chỉ riêng, lưu mãi:',
  record: 'xem cả ván',
};
