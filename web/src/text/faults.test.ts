import { afterEach, expect, test } from 'vitest';
import { Fault } from '../protocol/fault';
import { language } from '.';
import { sentence } from './faults';

afterEach(() => language.choose('en'));

test('the server speaks for itself', () => {
  expect(sentence(new Fault('room/full', 'Ten people are here already.'))).toBe(
    'Ten people are here already.',
  );
});

test('a connection that was closed gives a code, which has a sentence in every language', async () => {
  expect(sentence(new Fault('server/full', ''))).toBe('The server is full; try again later.');
  await language.choose('vi');
  expect(sentence(new Fault('server/full', ''))).toBe('Máy chủ đã đầy; hãy thử lại sau.');
  expect(sentence(new Fault('room/other', ''))).toBe('room/other');
});

test('a refusal is translated when the page changes its language', async () => {
  const crowded = { side: 'Evil', count: 3, roles: ['Assassin', 'Morgana', 'Mordred'], places: 2, seats: 5 };
  const roles = new Fault('setup/too_many_roles', '3 special Evil roles …', '', crowded);
  const full = new Fault('room/full', 'Every seat is taken …', 'seats');
  const unknown = new Fault('room/full', 'The roof is full.', 'roof');
  const bare = new Fault('room/full', 'The room is full.');
  expect(sentence(roles)).toBe('3 special Evil roles …');
  await language.choose('vi');
  expect([roles, full, unknown, bare].map(sentence)).toEqual([
    '3 vai đặc biệt (Assassin, Morgana và Mordred) là quá nhiều: với 5 người chơi, Phe Đỏ chỉ có 2 chỗ.',
    'Hết chỗ rồi, và chủ bàn không cho xem.',
    'The roof is full.',
    'The room is full.',
  ]);
});

test('what goes wrong in the browser has a sentence in every language', async () => {
  const unreachable = new Fault('web/unreachable', '');
  const english = sentence(unreachable);
  await language.choose('vi');
  expect([english, sentence(unreachable)]).toEqual([
    'Can’t reach the server. Are you online?',
    'Không kết nối được máy chủ. Bạn còn mạng không?',
  ]);
});
