/** What a move is called on its button; and its kind, before anybody is named. */
import type { Live } from '../../table/live.svelte';
import type { Move } from '../../wire/messages';
import { list } from '../../words/speak.svelte';
import { term } from '../../words/terms';
import { t } from './words';

export function called(live: Pick<Live, 'name'>, move: Move): string {
  const name = 'target' in move ? live.name(move.target) : '';
  switch (move.is) {
    case 'ProposeTeam':
      return list(move.team.map((seat) => live.name(seat)));
    case 'CastVote':
      return move.approve ? t('approve') : t('reject');
    case 'PlayCard':
      return t('play_card', { card: term(move.card) });
    case 'UseExcalibur':
      return t('use_excalibur', { name });
    case 'LeaveExcalibur':
      return t('leave_excalibur');
    case 'ExamineLoyalty':
      return t('examine', { name });
    case 'ShootMerlin':
      return t('shoot', { name });
    case 'DeclareArthur':
      return t('declare_arthur');
    case 'DeclareAgravaine':
      return t('declare_agravaine');
    case 'GoOn':
      return t('go_on');
    case 'CallMerlin':
      return t('call_merlin', { name });
    case 'CallNimue':
      return t('call_nimue', { name });
    case 'CallLovers':
      return t('call_lovers', { names: list(move.targets.map((seat) => live.name(seat))) });
    case 'CallNobody':
      return t('call_nobody');
    case 'Accuse':
      return t('accuse', { name });
    case 'WithdrawAccusation':
      return t('withdraw');
    case 'Judge':
      return move.eliminate ? t('eliminate') : t('spare');
    case 'LockIn':
      return t('lock_in');
    case 'Hunt':
      return t('hunt', { name });
    case 'Protect':
      return t('protect', { name });
    case 'Inspect':
      return t('inspect', { name });
    case 'Suspect':
      return t('suspect', { name });
    case 'Surrender':
      return t('surrender');
  }
}

const KINDS: Record<string, Parameters<typeof t>[0]> = {
  UseExcalibur: 'kind_excalibur',
  ExamineLoyalty: 'kind_examine',
  ShootMerlin: 'kind_shoot',
  CallMerlin: 'kind_call_merlin',
  CallNimue: 'kind_call_nimue',
  CallLovers: 'kind_call_lovers',
  Accuse: 'kind_accuse',
};

export const kindCalled = (kind: string): string => {
  const key = KINDS[kind];
  return key ? (t as (key: string) => string)(key) : kind;
};
