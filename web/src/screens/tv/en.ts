export const en = {
  title: 'Table {code}',
  join_at: 'Join at {address}',
  waiting: 'Waiting for the game to start.',
} as const;
