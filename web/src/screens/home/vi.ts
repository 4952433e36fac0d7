import type { Same } from '../../words/speak.svelte';
import type { en } from './en';

export const vi: Same<typeof en> = {
  welcome: 'Mời bạn vào bàn',
  pitch: 'Vai ẩn, nhiệm vụ và những lời nói dối. Ngay trên điện thoại, ngay tối nay.',
  name: 'Tên của bạn',
  nameless: 'Khách',
  need_name: 'Hãy nhập tên trước, để mọi người biết bạn là ai.',
  play_now: 'Chơi ngay với máy',
  create: 'Mở bàn',
  create_why: 'Mỗi người một điện thoại, ngồi gần hay ở xa đều được.',
  deal: 'Chỉ chia vai',
  deal_why: 'Điện thoại cho biết vai; còn lại chơi trực tiếp với nhau.',
  code: 'Mã bàn hoặc đường dẫn',
  join: 'Vào bàn',
  bad_code: 'Mã bàn có sáu chữ và số, ví dụ K7MPQ2.',
  public: 'Bàn đang mở',
  public_none: 'Hiện chưa có bàn công khai nào. Bạn mở một bàn cho mọi người tìm thấy nhé.',
  public_failed: 'Không tải được danh sách bàn.',
  public_lobby: '{game} · đã có {taken}/{seats} người',
  public_playing: '{game} cho {seats} người · đang chơi',
  public_host: 'Bàn của {name}',
  public_anyone: 'Bàn đang chờ bạn',
  public_join: 'Vào bàn',
  public_watch: 'Vào xem',
  rules: 'Xem luật chơi',
  rules_why: 'Mỗi trò năm phút, đủ mọi nhân vật.',
};
