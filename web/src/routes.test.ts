import { expect, test } from 'vitest';
import { routeOf } from './routes';

test('an address stands for a screen, and a code is read in any case', () => {
  expect(routeOf('/')).toEqual({ screen: 'home' });
  expect(routeOf('/r/k7m-pq2')).toEqual({ screen: 'room', code: 'K7MPQ2' });
  expect(routeOf('/tv/K7MPQ2/')).toEqual({ screen: 'tv', code: 'K7MPQ2' });
  expect(routeOf('/rules')).toEqual({ screen: 'rules', game: null });
  expect(routeOf('/rules/avalon')).toEqual({ screen: 'rules', game: 'avalon' });
  expect(routeOf('/record/K7MPQ2/3')).toEqual({ screen: 'record', code: 'K7MPQ2', number: 3 });
});

test('anything else is nowhere, however it is spelled', () => {
  for (const path of ['/r', '/r/A/B', '/record/A', '/record/A/x', '/admin', '/rules/a/b', '/record/A/1/2'])
    expect(routeOf(path)).toEqual({ screen: 'not_found' });
  expect(routeOf('/r/%')).toEqual({ screen: 'room', code: '%' });
});
