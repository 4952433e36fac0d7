/** Names for what we ask, never used twice. `randomUUID` is missing over plain HTTP; this is not. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
