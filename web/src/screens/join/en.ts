export const en = {
  title: 'Join table {code}',
  name: 'Your name',
  join: 'Sit down',
  watch: 'Only watch',
  host: '{name} has laid a table of {game} for {seats}.',
} as const;
