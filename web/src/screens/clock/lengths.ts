/** The times that a moderator's clock offers, in seconds: a day, a defense and a night. */
export const LENGTHS: readonly number[] = [120, 30, 60];
