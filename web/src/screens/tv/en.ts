export const en = {
  join_at: 'Scan, or go to {address} and type',
  scan: 'A code for the camera of a phone: it leads to table {code}.',
  shut: 'It was closed, or nobody may watch it.',
  latest: 'What has happened',
  victory: 'Victory for {side}',
  no_victory: 'Nobody has won',
  come: 'Come and sit down: {count} places are free',
  full: 'The table is full',
  free: 'free',
  bot: 'a bot',
  ready: 'ready',
} as const;
