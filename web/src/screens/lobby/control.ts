/** What a choice before a game can be: on or off, one of a few, or a number that may be switched off. */
export type Control =
  | { is: 'toggle' }
  | { is: 'choice'; choices: readonly (string | number)[]; named: (one: string | number) => string }
  | {
      is: 'number';
      least: number;
      most: number;
      step: number;
      shown: (count: number) => string;
      off?: number | null;
      first?: number;
    };
