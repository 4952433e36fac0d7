/** Every file of `roles/` by its name, as text in this module: one file each would tell the network which one was opened. */
const files = import.meta.glob<string>('./roles/*.svg', { eager: true, query: '?raw', import: 'default' });

export const EMBLEMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, svg]) => [path.replace(/^.*\/|\.svg$/g, ''), svg]),
);
