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

test('what goes wrong in the browser has a sentence in every language', async () => {
  const unreachable = new Fault('web/unreachable', '');
  const english = sentence(unreachable);
  await language.choose('vi');
  expect([english, sentence(unreachable)]).toEqual([
    'Can’t reach the server. Are you online?',
    'Máy chủ không trả lời. Bạn còn kết nối mạng không?',
  ]);
});
