/** Request ids. `randomUUID` is missing over plain HTTP. */
export const newId = () => drawn(12);

/** A member's token: random, so that it cannot be guessed. */
export const newToken = () => drawn(24);

function drawn(count: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
