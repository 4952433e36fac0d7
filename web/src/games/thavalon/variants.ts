/** What a role of THavalon can no longer do where an option is off (T26): the variant of its text. */
import type { ThavalonSetup, ThavalonView } from './view';

type Variant = { name: string; isOff: (setup: ThavalonSetup) => boolean; roles: readonly string[] };

const VARIANTS: readonly Variant[] = [
  { name: 'no_reverse', isOff: ({ reversal }) => reversal === false, roles: ['Lancelot', 'Maelagant'] },
  {
    name: 'no_declaration',
    isOff: ({ declarations }) => declarations === false,
    roles: ['Arthur', 'Agravaine'],
  },
  { name: 'no_target', isOff: ({ targets }) => targets === 'merlin', roles: ['Tristan', 'Iseult', 'Nimue'] },
];

export const roleVariant = ({ setup }: Pick<ThavalonView, 'setup'>, role: string): string =>
  VARIANTS.find(({ isOff, roles }) => isOff(setup) && roles.includes(role))?.name ?? '';
