import { afterEach, expect, test } from 'vitest';
import { Fault } from '../protocol/fault';
import { language } from '.';
import { sentence } from './faults';

afterEach(() => language.choose('en'));

test('in English the server speaks for itself', () => {
  expect(sentence(new Fault('room/full', 'Ten people are here already.'))).toBe(
    'Ten people are here already.',
  );
  expect(sentence(new Fault('room/full', ''))).toBe('The table is full.');
});

test('another language has a sentence for each code, and a better one with details', async () => {
  await language.choose('vi');
  expect(sentence(new Fault('room/full', 'The table is full.'))).toBe('Bàn đã đầy.');
  expect(sentence(new Fault('setup/seats', '…', { fewest: 5, most: 10 }))).toBe(
    'Trò chơi này dành cho 5 đến 10 người.',
  );
  expect(sentence(new Fault('talk/text', '…'))).not.toContain('{{');
  expect(sentence(new Fault('room/other', 'Something new.'))).toBe('Something new.');
});

test('what goes wrong in the browser has a sentence in every language', async () => {
  const unreachable = new Fault('web/unreachable', '');
  const english = sentence(unreachable);
  await language.choose('vi');
  expect([english, sentence(unreachable)]).toEqual([
    'Can’t reach the server. Are you online?',
    'Máy chủ không trả lời. Bạn còn kết nối mạng không?',
  ]);
});
