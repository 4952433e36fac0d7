/** What happened, as a sentence for everybody who may know of it. */
import type { Event } from '../../wire/messages';
import { list, speak } from '../speak.svelte';
import { term } from '../terms';
import { en } from './en';
import { vi } from './vi';

const t = speak(en, vi);
type Naming = (seat: number) => string;
type Happened<Kind extends Event['is']> = Extract<Event, { is: Kind }>;

/** One sentence; '' for what is not worth one, such as a phase that begins or a ballot that nobody sees yet. */
export function tell(event: Event, name: Naming): string {
  return (
    tellTable(event, name) || tellQuests(event, name) || tellVariants(event, name) || tellTown(event, name)
  );
}

const PASSED_OVER: readonly Event['is'][] = ['Said', 'Remarked', 'TableOpened', 'LeaderNamed'];

/** The same to a whole room: nothing that one seat alone knows, and nothing that stands there to be read anyway. */
export function tellEverybody(event: Event, name: Naming): string {
  return event.audience === 'everyone' && !PASSED_OVER.includes(event.is) ? tell(event, name) : '';
}

function tellTable(event: Event, name: Naming): string {
  switch (event.is) {
    case 'TableOpened':
      return t('opened');
    case 'Said':
      return t('said', { name: name(event.seat), text: event.text });
    case 'EntropyContributed':
      return t('stirred', { name: name(event.seat) });
    case 'CountdownStarted':
      return t('countdown', { seconds: event.seconds });
    case 'ClockPaused':
      return t('paused');
    case 'ClockResumed':
      return t('resumed');
    case 'ClockExtended':
      return t('extended', { seconds: event.seconds });
    case 'CallOffAsked':
      return t('call_off_asked', { name: name(event.seat) });
    case 'GameEnded':
      return ended(event);
    default:
      return '';
  }
}

function ended({ outcome }: Happened<'GameEnded'>): string {
  const reason = term(outcome.reason);
  return outcome.winner ? t('won', { side: term(outcome.winner), reason }) : t('undecided', { reason });
}

function tellQuests(event: Event, name: Naming): string {
  switch (event.is) {
    case 'RoleDealt': {
      const who = { name: name(event.seat), role: term(event.role) };
      return 'is_assassin' in event && event.is_assassin ? t('dealt_dagger', who) : t('dealt', who);
    }
    case 'LeaderNamed':
      return t('leads', { name: name(event.seat), attempt: event.attempt });
    case 'TeamProposed':
      return proposed(event, name);
    case 'ProposalMissed':
      return t('missed', { leader: name(event.leader) });
    case 'VotesCounted':
      return votes(event);
    case 'CardChosen':
      return t('laid', { name: name(event.seat), card: term(event.card) });
    case 'QuestResolved':
      return t(event.succeeded ? 'quest_succeeded' : 'quest_failed', {
        quest: event.quest,
        cards: spoiling(event),
      });
    case 'SidesRevealed':
      return t('sides_revealed', { evil: list(event.evil.map(name)), assassin: name(event.assassin) });
    default:
      return '';
  }
}

function proposed({ leader, team, quest, excalibur }: Happened<'TeamProposed'>, name: Naming): string {
  const told = { leader: name(leader), team: list(team.map(name)), quest };
  return excalibur === null ? t('proposed', told) : t('proposed_sword', { ...told, sword: name(excalibur) });
}

function votes({ ballots, approved }: Happened<'VotesCounted'>): string {
  const yes = ballots.filter((approve) => approve).length;
  const no = ballots.length - yes;
  if (!no) return t('approved_all');
  return t(approved ? 'approved' : 'rejected', { yes, no });
}

/** What was done to a quest: `1 Fail and 1 Reverse`, or `no Fail`. */
export function spoiling({ fails, reverses }: { fails: number; reverses: number }): string {
  const failed = fails === 0 ? t('fails_none') : fails === 1 ? t('fails_one') : t('fails', { count: fails });
  if (!reverses) return failed;
  return list([failed, reverses === 1 ? t('reverses_one') : t('reverses', { count: reverses })]);
}

function tellVariants(event: Event, name: Naming): string {
  const holder = 'holder' in event ? name(event.holder) : '';
  const target = 'target' in event && event.target !== null ? name(event.target) : '';
  switch (event.is) {
    case 'LadyGiven':
      return t('lady_given', { name: name(event.seat) });
    case 'LoyaltyExamined':
      return t('lady_asked', { holder, target });
    case 'LoyaltyShown':
      return t('lady_told', { holder, target, side: term(event.side) });
    case 'LadyUnused':
      return t('lady_unused', { holder });
    case 'ExcaliburUsed':
      return t('sword_used', { holder, target });
    case 'CardShown':
      return t('sword_told', { holder, target, card: term(event.card) });
    case 'ExcaliburUnused':
      return t('sword_unused', { holder });
    case 'MerlinShot': {
      const assassin = name(event.assassin);
      return event.target === null ? t('hesitated', { assassin }) : t('shot', { assassin, target });
    }
    default:
      return tellThavalon(event, name);
  }
}

function tellThavalon(event: Event, name: Naming): string {
  switch (event.is) {
    case 'WindowOpened':
      return t('window', { quest: event.quest });
    case 'AgravaineDeclared':
      return t('agravaine', { name: name(event.seat), quest: event.quest });
    case 'ArthurDeclared':
      return t('arthur', { name: name(event.seat) });
    case 'TeamWithdrawn':
      return t('withdrawn', { leader: name(event.leader) });
    case 'TeamSent':
      return t('sent', { team: list(event.team.map(name)), quest: event.quest });
    case 'TargetCalled':
      return called(event, name);
    default:
      return '';
  }
}

function called(event: Happened<'TargetCalled'>, name: Naming): string {
  const assassin = name(event.assassin);
  const targets = list(event.seats.map(name));
  if (event.called_as === null) return t('hesitated', { assassin });
  if (event.called_as === 'Merlin') return t('called_merlin', { assassin, targets });
  if (event.called_as === 'Nimue') return t('called_nimue', { assassin, targets });
  return event.seats.length ? t('called_lovers', { assassin, targets }) : t('called_nobody', { assassin });
}

function tellTown(event: Event, name: Naming): string {
  const who = 'seat' in event ? name(event.seat) : '';
  const target = 'target' in event && event.target !== null ? name(event.target) : '';
  switch (event.is) {
    case 'PackMet':
      return t('pack', { names: list(event.wolves.map(name)) });
    case 'AccusationMade':
      return t('accused', { name: who, target });
    case 'AccusationWithdrawn':
      return t('accusation_withdrawn', { name: who });
    case 'PutOnTrial':
      return t('on_trial', { name: who });
    case 'VerdictsCounted': {
      const counted = { yes: event.eliminate.length, no: event.save.length };
      return t(event.eliminated ? 'eliminated' : 'spared', { name: name(event.accused), ...counted });
    }
    case 'HuntMarked':
      return t('hunted', { name: who, target });
    case 'ProtectionChosen':
      return t('protected', { name: who, target });
    case 'InspectionShown':
      return t(event.is_wolf ? 'saw_wolf' : 'saw_none', { name: who, target });
    case 'DayEnded':
      return t('night');
    case 'NightEnded':
      return event.killed === null ? t('dawn') : t('dawn_dead', { name: name(event.killed) });
    case 'PlayerDied':
      return event.cause === 'surrender' ? t('surrendered', { name: who }) : ''; // the others are told already
    case 'FateRevealed':
      return t('fate', { name: who, was: term(event.was) });
    default:
      return '';
  }
}
