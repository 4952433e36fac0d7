/** Highlights as sentences. */
import { inGame, list, t, term } from '../text';
import type { Highlight } from './highlights';

export function highlightText(game: string, highlight: Highlight, name: (seat: number) => string): string {
  switch (highlight.is) {
    case 'fooled':
      return t('quests:highlight.fooled', {
        evil: name(highlight.evil),
        good: name(highlight.good),
        count: highlight.count,
      });
    case 'sharp_eye':
      return t('quests:highlight.sharp_eye', {
        name: name(highlight.seat),
        count: highlight.count,
        of: highlight.of,
      });
    case 'sabotage':
      return inGame(game, 'quests:highlight.sabotage', {
        name: name(highlight.seat),
        quests: list(highlight.quests.map(String)),
        count: highlight.quests.length,
      });
    case 'lay_low':
      return t('quests:highlight.lay_low', { name: name(highlight.seat), count: highlight.count });
    case 'one_vote':
      return inGame(game, 'quests:highlight.one_vote', { quest: highlight.quest });
    case 'many_proposals':
      return inGame(game, 'quests:highlight.many_proposals', {
        quest: highlight.quest,
        count: highlight.count,
      });
    case 'merlin_found':
      return t('avalon:highlight.merlin_found', {
        assassin: name(highlight.assassin),
        target: name(highlight.target),
      });
    case 'merlin_missed': {
      const [assassin, target] = [name(highlight.assassin), name(highlight.target)];
      return t('avalon:highlight.merlin_missed', { assassin, target, role: term(highlight.role) });
    }
    case 'rescue':
      return t('saviom:highlight.rescue', { name: name(highlight.seat), target: name(highlight.target) });
    case 'vision':
      return t('saviom:highlight.vision', {
        name: name(highlight.seat),
        wolves: list(highlight.wolves.map(name)),
      });
    case 'innocent':
      return t('saviom:highlight.innocent', { name: name(highlight.seat), count: highlight.count });
    case 'accuser':
      return t('saviom:highlight.accuser', {
        name: name(highlight.seat),
        count: highlight.count,
        of: highlight.of,
      });
    case 'survivor':
      return t('saviom:highlight.survivor', { name: name(highlight.seat) });
  }
}
