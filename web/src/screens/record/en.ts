export const en = {
  title: 'Game {number} at table {code}',
  none: 'There is no such game',
} as const;
