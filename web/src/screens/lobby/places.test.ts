import { expect, it } from 'vitest';
import { list, t } from '../../text';
import { namesWithYou, type Member } from './places';

const people = [
  [1, 'Chi'],
  [2, 'Dan'],
  [3, 'Eve'],
].map(([member, name]) => ({ member, name }) as Member);

it('names you first, in small letters, and the others by name', () => {
  const said = (me: number | null) =>
    t('table.waiting', { names: list(namesWithYou(people, me, t('table.you'))) }).replace(
      /[\u2066-\u2069]/g,
      '',
    );
  expect(said(3)).toBe('Waiting for you, Chi and Dan.');
  expect(said(null)).toBe('Waiting for Chi, Dan and Eve.');
});
