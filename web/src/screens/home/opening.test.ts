import { afterEach, expect, test, vi } from 'vitest';
import { uiOf } from '../../games';
import { quickStart } from '../../games/quick_starts';
import { openInOneRoom, openTable, playAgainstBots } from './opening';

afterEach(() => void vi.unstubAllGlobals());

/** What a server is asked when a table is opened so. */
async function asked(open: typeof openTable, game: string): Promise<Record<string, unknown>> {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    bodies.push(body);
    return Promise.resolve(new Response(JSON.stringify({ room: 'K7MPQ2', token: 'a', member: 1 })));
  });
  await open('Ana', game, 8);
  return (JSON.parse(bodies[0] ?? '{}') as { options?: Record<string, unknown> }).options ?? {};
}

test.each([openTable, openInOneRoom('deal'), playAgainstBots])(
  'no table of Saviom is opened with dead time',
  async (open) => {
    expect(await asked(open, 'saviom')).toMatchObject({ early_end: true });
  },
);

test('a table among people keeps the times of the rulebook, and one of Avalon all its rules', async () => {
  expect(await asked(openTable, 'saviom')).toEqual({ early_end: true });
  expect(await asked(openTable, 'avalon')).toEqual({});
});

test('every preset of Saviom lets a phase end early, and the first is how a table is opened', () => {
  const { presets } = uiOf('saviom').rules;
  for (const { options } of presets) expect(options).toMatchObject({ early_end: true });
  expect(presets[0]?.options).toEqual(quickStart('saviom').rules);
});
