/** Code that is fetched when it is first needed. A phone that changes networks loses such a request, so it is sent again. */

const PAUSES = [300, 1_000, 3_000]; // milliseconds

/** What `load` brings, if need be at the last of four attempts. */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  return load();
}
