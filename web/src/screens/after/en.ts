export const en = {
  rematch: 'Play again',
  rematch_keeps: 'Everybody keeps their seat.',
  rematch_waits: '{host} can call for another game; your seat is kept.',
  rematch_watching: 'When the table is laid again, you can take a free seat.',
  stays: 'This game stays at an address of its own:',
  record: 'the whole game',
} as const;
