/** Names for what we ask, never used twice. `randomUUID` is missing over plain HTTP; this is not. */
export const newId = () => drawn(12);

/** Who we will be in a room; nobody else could guess it. */
export const newToken = () => drawn(24);

function drawn(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
