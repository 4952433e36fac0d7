/** What both quest games show of a table, and the words that they share. */
import type { components } from '../../protocol/generated/messages';
import TABLES from '../generated/quests.json';

type Schemas = components['schemas'];
export type QuestView = Schemas['avalon.AvalonState'] | Schemas['thavalon.ThavalonState'];
export type Card = Schemas['quests.Card'];

const QUESTS = 5;

export const isEvil = (role: string): boolean => TABLES.evil.includes(role);

/** The quest that is proposed for or played; null where the leader still has to choose it. */
export function currentQuest({ setup, proposal, results }: QuestView): number | null {
  if (proposal) return proposal.quest;
  const mayChoose = 'choose_quests' in setup && setup.choose_quests;
  return mayChoose ? null : Math.min(results.length + 1, QUESTS);
}
