/** What a player of THavalon has to do now; declarations have a panel of their own. */
import type { Asked, Move } from '../../protocol/messages';
import { plainMoves } from '../parts/aims';
import { questTask, type QuestTask } from '../quests/task';
import type { Card } from '../quests/view';
import type { ThavalonView } from './view';

export const CARDS: readonly Card[] = ['Success', 'Fail', 'Reverse'];
/** Their offer would give away a role. */
export const DECLARATIONS = ['DeclareArthur', 'DeclareAgravaine'] as const;
const FINAL = ['CallMerlin', 'CallNimue', 'CallLovers', 'CallNobody'];

export type WindowTask = { is: 'window'; others: Move[] };
export type ThavalonTask = QuestTask | WindowTask;

export function thavalonTask(
  asked: Asked | null,
  view: ThavalonView,
  seat: number,
  chosen: number,
): ThavalonTask {
  const options = (asked?.options ?? []).filter(
    ({ kind }) => !(DECLARATIONS as readonly string[]).includes(kind),
  );
  const isWindow = view.phase.name === 'stand' || view.phase.name === 'reckoning';
  if (isWindow && seat >= 0 && !view.outcome) return { is: 'window', others: plainMoves(options) };
  return questTask(asked && { ...asked, options }, view, seat, chosen, {
    cards: view.setup.reversal !== false ? CARDS : CARDS.filter((card) => card !== 'Reverse'),
    final: FINAL,
  });
}
