export const en = {
  title: 'Table {code}',
  share: 'Others join at {address}',
  seat: 'Seat {number}',
  free: 'Free',
  bot: 'Bot',
  you: 'you',
  add_bot: 'Add a bot',
  fill: 'Fill with bots',
  ready: 'I am ready',
  not_ready: 'Wait for me',
  is_ready: 'ready',
  start: 'Start the game',
} as const;
