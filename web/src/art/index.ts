/** The emblems of the roles: one chunk for all games, fetched when a table is entered. */
import { fetched } from '../parts/fetched';
import { wordKey } from '../text/messages';

export type Emblems = Readonly<Record<string, string>>;

let loading: Promise<Emblems> | undefined;

/** A chunk that did not arrive is asked for again the next time. */
export function loadArt(): Promise<Emblems> {
  loading ??= fetched(() => import('./emblems')).then(({ EMBLEMS }) => EMBLEMS);
  loading.catch(() => (loading = undefined));
  return loading;
}

/** The address of a role's emblem; a mask for a role of another package. */
export const artOf = (emblems: Emblems, role: string): string =>
  `data:image/svg+xml,${encodeURIComponent(emblems[wordKey(role)] ?? emblems.unknown ?? '')}`;
