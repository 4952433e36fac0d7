export const en = {
  title: 'The game is over',
  winner: 'Victory for {side}',
  no_winner: 'No winner',
  roles: 'Who was who',
  rematch: 'Play again',
  record: 'The whole game',
  download: 'Download the record',
} as const;
