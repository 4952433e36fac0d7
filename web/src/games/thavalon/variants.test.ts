import { expect, test } from 'vitest';
import { gameText } from '../../text';
import { roleVariant } from './variants';
import type { ThavalonSetup } from './view';

const variant = (options: object, role: string) => roleVariant({ setup: options as ThavalonSetup }, role);

test.each([
  ['Lancelot', { reversal: false }, 'Reverse'],
  ['Maelagant', { reversal: false }, 'Reverse'],
  ['Arthur', { declarations: false }, 'declare'],
  ['Agravaine', { declarations: false }, 'declare'],
  ['Nimue', { targets: 'merlin' }, 'Assassin'],
  ['Tristan', { targets: 'merlin' }, 'Assassin'],
  ['Iseult', { targets: 'merlin' }, 'Assassin'],
])('%s is told what the table lets them do', (role, options, word) => {
  const power = `role.${role.toLowerCase()}.power`;
  expect(variant({}, role)).toBe('');
  expect(gameText('thavalon', power)).toContain(word);
  expect(gameText('thavalon', `${power}_${variant(options, role)}`)).toBeTruthy();
  expect(gameText('thavalon', `${power}_${variant(options, role)}`)).not.toContain(word);
});

test('other roles are told what they always are', () => {
  expect(variant({ reversal: false, declarations: false, targets: 'merlin' }, 'Merlin')).toBe('');
});
