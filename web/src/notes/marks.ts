/** A private note as what is drawn and said at a seat. */
import type { IconName } from '../parts/Icon.svelte';
import { t, term } from '../text';
import type { SeatNote, Suspicion } from './notes.svelte';

export const ICONS: Record<Suspicion, IconName> = { trust: 'heart', unsure: 'question', suspect: 'alert' };

export type OwnMark = { suspicion?: Suspicion; guess: string; words: string };

/** Null where there is nothing to draw. */
export function ownMark({ suspicion, role }: SeatNote, game: string): OwnMark | null {
  if (!suspicion && !role) return null;
  const guess = role ? t('notes.guessed', { role: term(role, game) }) : '';
  const words = [suspicion ? t(`notes.${suspicion}`) : '', guess].filter(Boolean).join(', ');
  return { ...(suspicion && { suspicion }), guess, words: t('notes.own', { words }) };
}
