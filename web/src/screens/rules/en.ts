export const en = {
  title: 'The rules',
  pitch: 'Three games of hidden roles. Five minutes each, and you are ready.',
  games: 'Which game',
  parts: 'Parts of the rules',
  avalon_pitch:
    'Good looks for three quests, Evil hides among them, and Merlin must not be found. 5 to 10 players.',
  thavalon_pitch: 'Avalon where everybody has a role, and nobody knows which are about. 5 to 10 players.',
  saviom_pitch: 'Wolves by night, accusations by day. 6 to 12 players.',
  unknown: 'There is no such game here.',
  choices: 'What a table may choose',
  choices_hint: 'The host chooses these before the game, in the lobby.',
} as const;
