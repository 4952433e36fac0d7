/** Bytes as hexadecimal digits, and back. */
export const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
