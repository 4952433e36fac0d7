/** The lines of a story as sentences. */
import { list } from '../words/speak.svelte';
import { term } from '../words/terms';
import type { Told } from './story';
import { t } from './words';

export function tale(told: Told, name: (seat: number) => string): string {
  switch (told.tale) {
    case 'fooled':
      return t('fooled', { evil: name(told.evil), good: name(told.good), count: told.count });
    case 'nose':
      return t('nose', { name: name(told.seat), count: told.count, of: told.of });
    case 'sabotage':
      return t('sabotage', { name: name(told.seat), quests: list(told.quests.map(String)) });
    case 'unseen':
      return t('unseen', { name: name(told.seat), count: told.count });
    case 'one_vote':
      return t('one_vote', { quest: told.quest });
    case 'stubborn':
      return t('stubborn', { quest: told.quest, count: told.count });
    case 'shot_right':
      return t('shot_right', { assassin: name(told.assassin), target: name(told.target) });
    case 'shot_wrong': {
      const [assassin, target] = [name(told.assassin), name(told.target)];
      return t('shot_wrong', { assassin, target, role: term(told.role) });
    }
    case 'rescue':
      return t('rescue', { name: name(told.seat), target: name(told.target) });
    case 'vision':
      return t('vision', { name: name(told.seat), wolves: list(told.wolves.map(name)) });
    case 'innocent':
      return t('innocent', { name: name(told.seat), count: told.count });
    case 'hunter':
      return t('hunter', { name: name(told.seat), count: told.count, of: told.of });
    case 'survivor':
      return t('survivor', { name: name(told.seat) });
  }
}
