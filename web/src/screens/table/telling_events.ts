/** What has become known to everybody, as sentences: for a screen reader, and for the middle of the table. */
import type { Live } from '../../table/live.svelte';
import { isQuests, type Event, type View } from '../../wire/messages';
import { list } from '../../words/speak.svelte';
import { term } from '../../words/terms';
import { t } from './words';

type Namer = Pick<Live, 'name'>;

export function told(live: Namer, view: View, event: Event): string {
  const name = (seat: number) => live.name(seat);
  switch (event.is) {
    case 'TeamProposed':
      return t('told_proposed', {
        leader: name(event.leader),
        quest: event.quest,
        team: list(event.team.map(name)),
      });
    case 'VotesCounted': {
      const approvals = event.ballots.filter((one) => one).length;
      const count = t('vote_count', { approvals, rejections: event.ballots.length - approvals });
      return `${event.approved ? t('team_approved') : t('team_rejected')} ${count}`;
    }
    case 'QuestResolved': {
      const ended = event.succeeded ? 'quest_succeeded' : 'quest_failed';
      const { fails, reverses } = event;
      const counts = reverses ? t('counts_reverses', { fails, reverses }) : t('counts', { fails });
      return `${t(ended, { quest: event.quest })} ${counts}`;
    }
    case 'VerdictsCounted':
      return t(event.eliminated ? 'eliminated' : 'was_spared', { name: name(event.accused) });
    case 'PutOnTrial':
      return t('told_trial', { name: name(event.seat) });
    case 'NightEnded':
      return event.killed === null ? t('dawn_quiet') : t('dawn_death', { name: name(event.killed) });
    case 'PlayerDied':
      return event.cause === 'surrender' ? t('died_surrender', { name: name(event.seat) }) : '';
    case 'LadyGiven':
      return t('told_lady', { name: name(event.seat) });
    case 'LoyaltyExamined':
      return t('told_examined', { holder: name(event.holder), name: name(event.target) });
    case 'ExcaliburUsed':
      return t('told_excalibur', { holder: name(event.holder), name: name(event.target) });
    case 'ArthurDeclared':
      return t('arthur_declares', { name: name(event.seat) });
    case 'AgravaineDeclared':
      return t('agravaine_declares', { name: name(event.seat), quest: event.quest });
    case 'SidesRevealed':
      return t('told_sides', { names: list(event.evil.map(name)) });
    case 'MerlinShot':
      return event.target === null ? t('no_shot') : t('shot_at', { name: name(event.target) });
    case 'TargetCalled':
      return calledAs(live, event);
    case 'GameEnded':
      return isQuests(view) || view.outcome ? term(event.outcome.reason) : '';
    default:
      return '';
  }
}

export function calledAs(live: Namer, event: Extract<Event, { is: 'TargetCalled' }>): string {
  if (event.called_as === null) return t('no_shot');
  if (event.called_as === 'nobody') return t('called_nobody');
  const names = list(event.seats.map((seat) => live.name(seat)));
  return t('called_as', { names, role: event.called_as === 'Lovers' ? t('lovers') : term(event.called_as) });
}
