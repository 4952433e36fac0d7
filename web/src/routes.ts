/** Which screen an address stands for. */
export type Route =
  | { screen: 'home' }
  | { screen: 'room'; code: string }
  | { screen: 'tv'; code: string }
  | { screen: 'rules'; game: string | null }
  | { screen: 'record'; code: string; number: number }
  | { screen: 'nowhere' };

/** Codes are read in any case, with blanks or dashes between. */
const tidyCode = (text: string) => text.replace(/[\s-]/g, '').toUpperCase();

/** The code that somebody typed, or that stands in a link they pasted. */
export const codeIn = (text: string) => tidyCode(/\/(?:r|tv)\/([^/?#\s]+)/i.exec(text)?.[1] ?? text);

/** Whether it could be one: six signs that are not taken for one another (docs/protocol.md). */
export const isCode = (code: string) => /^[A-HJ-NP-Z2-9]{6}$/.test(code);

export function routeOf(path: string): Route {
  const [first, second, third, ...more] = path.split('/').filter(Boolean).map(decoded);
  if (more.length) return { screen: 'nowhere' };
  if (!first) return { screen: 'home' };
  if (first === 'rules' && !third) return { screen: 'rules', game: second ?? null };
  if (first === 'r' && second && !third) return { screen: 'room', code: tidyCode(second) };
  if (first === 'tv' && second && !third) return { screen: 'tv', code: tidyCode(second) };
  if (first === 'record' && second && third && /^\d{1,6}$/.test(third))
    return { screen: 'record', code: tidyCode(second), number: Number(third) };
  return { screen: 'nowhere' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
