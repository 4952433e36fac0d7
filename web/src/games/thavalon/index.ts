/** THavalon: drawn roles, declarations, and the last call of the Assassin. */
import type { Event } from '../../protocol/messages';
import type { Sound } from '../../sound.svelte';
import { list, t } from '../../text';
import { traysOf, type Mark, type OwnUi, type Table } from '../game';
import { PHRASES, quests, TRAYS } from '../quests';
import { questMarks } from '../quests/marks';
import { questSound, REVEALS, STRIKE } from '../quests/reveals';
import { questStatus } from '../quests/status';
import { tellingQuests } from '../quests/telling';
import { dealing } from './deal';
import Declare from './Declare.svelte';
import { rules } from './rules';
import { CARDS, thavalonTask, type ThavalonTask } from './task';
import { roleVariant } from './variants';
import type { ThavalonSetup, ThavalonView } from './view';
import WindowTray from './WindowTray.svelte';

function status(live: Table, view: ThavalonView): string {
  switch (view.phase.name) {
    case 'vote':
      return view.first_of_pair ? votingOnPair(live, view) : questStatus(live, view);
    case 'assassination':
      return view.assassin === live.seat
        ? t('thavalon:status.assassination_you')
        : t('thavalon:status.assassination', {
            name: view.assassin === null ? '' : live.name(view.assassin),
          });
    case 'stand':
    case 'reckoning':
      return t('thavalon:status.window', { quest: view.window ?? 0 });
    default:
      return questStatus(live, view);
  }
}

function votingOnPair(live: Table, { first_of_pair, proposal }: ThavalonView): string {
  const named = (team: readonly number[] = []) => list(team.map((seat) => live.name(seat)));
  return t('thavalon:status.vote_pair', { first: named(first_of_pair?.team), second: named(proposal?.team) });
}

function ownMarks(live: Table, view: ThavalonView, seat: number): Mark[] {
  const marks: Mark[] = [];
  if (view.arthur === seat)
    marks.push({ corner: 'right', icon: 'horn', word: t('thavalon:mark.arthur'), tone: 'good' });
  // who has declared as Agravaine was heard, and is no part of a view
  if (live.heard.some(({ event }) => event.is === 'AgravaineDeclared' && event.seat === seat))
    marks.push({ corner: 'right', icon: 'horn', word: t('thavalon:mark.agravaine'), tone: 'evil' });
  return marks;
}

function sound(event: Event): Sound | null {
  return event.is === 'AgravaineDeclared' || event.is === 'ArthurDeclared' ? 'bell' : questSound(event);
}

export const thavalon: OwnUi<ThavalonView> = {
  ...quests,
  tell: tellingQuests('WentOn'),
  sound,
  reveals: { ...REVEALS, TargetCalled: STRIKE, ArthurDeclared: {}, AgravaineDeclared: {} },
  status,
  marks: (live, view, seat, moment) => questMarks(view, seat, moment, ownMarks(live, view, seat)),
  task: (asked, view, seat, choice) => thavalonTask(asked, view, seat, choice.aim),
  trays: traysOf<ThavalonTask>({ ...TRAYS, window: WindowTray }),
  tool: {
    name: 'declare',
    icon: 'horn',
    title: 'thavalon:declare.title',
    Panel: Declare,
    isUsed: ({ setup }) => (setup as ThavalonSetup).declarations !== false,
  },
  roleVariant,
  phrases: { ...PHRASES, cards: CARDS },
  rules,
  dealing,
};
