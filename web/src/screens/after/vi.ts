import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  title: 'Ván chơi kết thúc',
  winner: '{side} thắng',
  no_winner: 'Không phe nào thắng',
  roles: 'Ai là ai',
  rematch: 'Chơi lại',
  record: 'Xem lại cả ván',
  download: 'Tải bản ghi',
};
