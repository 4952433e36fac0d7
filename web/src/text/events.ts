/** What happened, each event as a sentence for a listener who may know of it. */
import { EVIL } from '../fair/deals';
import type { Event } from '../protocol/messages';
import { gameText, isBuiltIn, list, reasonOf, t, term } from './language.svelte';
import { keyed, plainSentence, sentenceOf, type Naming } from './sentences';

type Happened<Kind extends Event['is']> = Extract<Event, { is: Kind }>;

/** Events without a sentence: they only move the game on, or a later event says what came of them. */
const UNTOLD_ANYWHERE = 'SeedSealed SecretsRevealed FloorGiven CountdownAsked Remarked'.split(' ');
const UNTOLD = (
  'PhaseBegan BallotCast BallotMarked WindowOpened WindowClosed WentOn LockedIn VerdictMarked HuntWithdrawn ' +
  'InspectionChosen SuspectNamed SurrenderPledged'
).split(' ');

/** One sentence, or '' for an event that is not told. */
export function tell(game: string, event: Event, name: Naming): string {
  if (UNTOLD_ANYWHERE.includes(event.is)) return '';
  switch (event.is) {
    case 'TableOpened':
      return t('replay.game_start');
    case 'Said':
      return t('talk.said', { name: name(event.seat), text: event.text });
    case 'GameEnded':
      return ended(game, event);
    default:
      return isBuiltIn(game) ? tellBuiltIn(game, event, name) : tellInstalled(game, event, name);
  }
}

/** Any game, as src/roundtable/text/teller.py tells it: by its keys, or by the names of its parts. */
function tellInstalled(game: string, event: Event, name: Naming): string {
  if (event.is === 'PhaseBegan') return keyed(game, `phase.${event.name}.began`, event, name) ?? '';
  return sentenceOf(game, 'event', event, name) ?? plainSentence(game, event, name);
}

function tellBuiltIn(game: string, event: Event, name: Naming): string {
  switch (event.is) {
    case 'DayEnded':
      return t('saviom:label.night_falls');
    case 'RoleDealt':
      return sentence(game, event, name, { side: term(EVIL.includes(event.role) ? 'Evil' : 'Good') });
    case 'VotesCounted':
      return votes(event);
    case 'QuestResolved':
      return sentence(game, event, name, { cards: cardsPlayed(event) });
    case 'VerdictsCounted':
      return verdict(event, name);
    case 'PlayerDied':
      return event.cause === 'surrender' ? sentence(game, event, name) : ''; // other deaths are told with their cause
    default:
      return UNTOLD.includes(event.is) ? '' : sentence(game, event, name);
  }
}

const NOT_ANNOUNCED: readonly Event['is'][] = ['Said', 'TableOpened', 'LeaderNamed'];

/** The same for a whole room: nothing that one seat alone knows, and nothing that can be read on the screen anyway. */
export function announce(game: string, event: Event, name: Naming): string {
  return event.audience === 'everyone' && !NOT_ANNOUNCED.includes(event.is) ? tell(game, event, name) : '';
}

const sentence = (game: string, event: Event, name: Naming, more: Record<string, string> = {}): string =>
  sentenceOf(game, 'event', event, name, more) ?? '';

function ended(game: string, { outcome }: Happened<'GameEnded'>): string {
  const reason = reasonOf(game, outcome.reason);
  if (!outcome.winner) return t('outcome.undecided', { reason });
  return gameText(game, 'outcome.won', { winner: term(outcome.winner, game), reason }) ?? reason;
}

/** Shorter than the sentence of the catalogue, which names voters: the seats show how each of them voted. */
function votes({ ballots, approved }: Happened<'VotesCounted'>): string {
  const yes = ballots.filter((approve) => approve).length;
  const no = ballots.length - yes;
  if (!no) return t('quests:label.votes_unanimous');
  return t(approved ? 'quests:label.votes_approved' : 'quests:label.votes_rejected', { yes, no });
}

function verdict(
  { accused, eliminated, eliminate, save }: Happened<'VerdictsCounted'>,
  name: Naming,
): string {
  const counted = { name: name(accused), yes: eliminate.length, no: save.length };
  return t(eliminated ? 'saviom:label.verdict_eliminated' : 'saviom:label.verdict_spared', counted);
}

/** `2 × Success, 1 × Fail` */
function cardsPlayed({ successes, fails, reverses }: Happened<'QuestResolved'>): string {
  const kinds = [['Success', successes] as const, ['Fail', fails] as const, ['Reverse', reverses] as const];
  return kinds
    .filter(([, count]) => count)
    .map(([card, count]) => t('list.times', { count, item: term(card) }))
    .join(t('list.separator'));
}

/** What spoilt a quest: `1 Fail and 1 Reverse`, or `no Fails`. */
export function spoiling({ fails, reverses }: { fails: number; reverses: number }): string {
  const failed = fails ? t('quests:label.fails', { count: fails }) : t('quests:label.no_fails');
  return reverses ? list([failed, t('quests:label.reverses', { count: reverses })]) : failed;
}
