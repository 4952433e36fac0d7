import { afterEach, expect, test } from 'vitest';
import type { Room } from '../../protocol/messages';
import { language } from '../../text';
import { noticeText } from './notices';

afterEach(() => language.choose('en'));

const room = { game: 'saviom', seats: Array.from({ length: 8 }) } as unknown as Room;
const notice = (code: string, values: object) =>
  ({ code, message: 'as the server says it', values }) as unknown as Room['notices'][number];

test('a notice is told with its values, in both languages', async () => {
  const moderator = notice('moderator', { name: 'Ana' });
  const granted = notice('seat_granted', { name: 'Ana', holder: 'Bo', by: ['Chi', 'Dan'] });
  const told = () => [moderator, granted].map((one) => noticeText(room, one).replace(/[\u2066-\u2069]/g, ''));
  expect(told()[0]).toBe('Ana moderates and sees all roles.');
  for (const code of ['en', 'vi'] as const) {
    await language.choose(code);
    for (const text of told()) expect(text).not.toMatch(/\{\{|as the server/);
  }
});

test('a notice that no catalogue has is told as the server says it', () => {
  expect(noticeText(room, notice('unheard_of', {}))).toBe('as the server says it');
});
