export const en = {
  title: 'Game {number} at table {code}',
  lines: '{count} lines, from the deal to the end.',
} as const;
