export const en = {
  title: 'The rules',
  choose: 'Choose a game.',
} as const;
