/** The screen of an address. */
export type Route =
  | { screen: 'home' }
  | { screen: 'room'; code: string }
  | { screen: 'tv'; code: string | null }
  | { screen: 'clock' }
  | { screen: 'rules'; game: string | null }
  | { screen: 'record'; code: string; number: number }
  | { screen: 'not_found' };

/** Codes may be typed in lower case, with blanks or dashes. */
const tidyCode = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();

/** The code in what a player typed: a code, or a link that contains one. */
export const codeIn = (text: string) => tidyCode(/\/(?:r|tv)\/([^/?#\s]+)/i.exec(text)?.[1] ?? text);

/** Whether it has the form of a code: six characters without lookalikes (docs/protocol.md). */
export const isCode = (code: string) => /^[A-HJ-NP-Z2-9]{6}$/.test(code);

export function routeOf(path: string): Route {
  const [first, second, third, ...more] = path.split('/').filter(Boolean).map(decoded);
  if (more.length) return { screen: 'not_found' };
  if (!first) return { screen: 'home' };
  if (first === 'rules' && !third) return { screen: 'rules', game: second ?? null };
  if (first === 'r' && second && !third) return { screen: 'room', code: tidyCode(second) };
  if (first === 'tv' && !third) return { screen: 'tv', code: second ? tidyCode(second) : null };
  if (first === 'clock' && !second) return { screen: 'clock' };
  if (first === 'record' && second && third && /^\d{1,6}$/.test(third))
    return { screen: 'record', code: tidyCode(second), number: Number(third) };
  return { screen: 'not_found' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
