import { expect, test } from 'vitest';
import { gameText } from '../../text';
import { roleVariant } from './deal';
import type { AvalonSetup } from './view';

function power(options: object, role: string): string {
  const setup = { seats: 7, merlin: true, assassin: 'role', roles: null, ...options } as AvalonSetup;
  const variant = roleVariant({ setup }, role);
  return gameText('avalon', `role.${role.toLowerCase()}.power${variant && `_${variant}`}`) ?? '';
}

test('a card names an absent role nowhere, and the usual ones where they count', () => {
  expect(power({ seats: 5 }, 'Morgana')).not.toContain('Oberon');
  expect(power({ seats: 7 }, 'Morgana')).toContain('except for Oberon');
  expect(power({}, 'Merlin')).not.toContain('Mordred');
  expect(power({ roles: ['Mordred'] }, 'Merlin')).toContain('except for Mordred');
  expect(power({ roles: ['Mordred', 'Oberon'], merlin: false }, 'Oberon')).not.toContain('Merlin');
  expect(power({ roles: ['Percival'] }, 'Percival')).toBe('You see Merlin.');
});
