export const en = {
  welcome: 'A place at the table',
  pitch: 'Hidden roles, quests and lies. On your phones, tonight.',
  name: 'Your name',
  play_now: 'Play now against bots',
  create: 'Open a table for friends',
  code: 'Code of a table',
  join: 'Join',
  rules: 'Learn the rules',
  need_name: 'Type a name first.',
} as const;
