/** A time that is left, as a clock shows it: 90 seconds are 1:30. */
export const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
