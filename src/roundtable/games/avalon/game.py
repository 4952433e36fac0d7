"""How a game of Avalon goes, from the first team to the last shot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import Game, Transition
from roundtable.core.options import Options
from roundtable.core.phrases import Phrase
from roundtable.core.seats import EVERYONE, Seat, all_seats, left_of, only, right_of
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers
from roundtable.core.values import Value
from roundtable.games.avalon.actions import (
    AVALON_ACTIONS,
    ExamineLoyalty,
    KeepLady,
    LeaveExcalibur,
    ShootMerlin,
    UseExcalibur,
)
from roundtable.games.avalon.deal import can_have_dealt, deal_cards, hand_out
from roundtable.games.avalon.events import (
    AVALON_EVENTS,
    CardShown,
    ExcaliburUnused,
    ExcaliburUsed,
    LadyGiven,
    LadyUnused,
    LoyaltyExamined,
    LoyaltyShown,
    MerlinShot,
)
from roundtable.games.avalon.options import leader_options, options_of
from roundtable.games.avalon.setup import LAST_ATTEMPT, AvalonSetup
from roundtable.games.avalon.state import ABSORB_AVALON, AvalonState
from roundtable.games.quests.actions import QUEST_ACTIONS, CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.events import QUEST_EVENTS, ProposalMissed, TeamProposed, VotesCounted
from roundtable.games.quests.flow import (
    ask_for_team,
    ballots_in_seat_order,
    count_cards,
    lay_card,
    lay_for_the_absent,
    let_everybody_talk,
    mark_ballot,
    read_quest_deal,
    reject_for_the_absent,
    reveal_sides,
    roles_in_seat_order,
    send_team,
)
from roundtable.games.quests.options import TeamChoice
from roundtable.games.quests.phrases import QUEST_PHRASES
from roundtable.games.quests.roles import QUEST_WORDS, SIDE_OF, Card, Glimpse, Role, Side, seats_on
from roundtable.games.quests.setup import QuestPlan
from roundtable.games.quests.state import QuestDeal
from roundtable.games.quests.tables import TO_WIN, has_majority

ABOUT_MERLIN = ("merlin_survived", "merlin_assassinated")
LADY_AFTER = (2, 3, 4)  # A23: quests played
TURNED = {Card.SUCCESS: Card.FAIL, Card.FAIL: Card.SUCCESS}

Now = Transition[AvalonState]


class Avalon(Game[AvalonState, QuestDeal]):
    name: ClassVar[str] = "avalon"
    setup_type: ClassVar[type[Setup]] = AvalonSetup
    sides: ClassVar[tuple[str, ...]] = (Side.GOOD, Side.EVIL)
    open_phases: ClassVar[Mapping[str, int]] = {"propose": 0, "vote": 0, "quest": 160}
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = (
        (Side.GOOD, "merlin_survived"),
        (Side.GOOD, "three_successes"),
        (Side.EVIL, "merlin_assassinated"),
        (Side.EVIL, "three_failures"),
        (Side.EVIL, "five_rejections"),
    )
    events: ClassVar[tuple[type[Event], ...]] = (*QUEST_EVENTS, *AVALON_EVENTS)
    actions: ClassVar[tuple[type[Action], ...]] = (*QUEST_ACTIONS, *AVALON_ACTIONS)
    parts: ClassVar[tuple[type[Value], ...]] = (Glimpse, QuestPlan)
    words: ClassVar[frozenset[str]] = QUEST_WORDS - {Card.REVERSE}
    phrases: ClassVar[Mapping[str, Phrase]] = QUEST_PHRASES
    absorb: ClassVar[Absorbers] = ABSORB_AVALON

    def blank(self, setup: Setup) -> AvalonState:
        assert isinstance(setup, AvalonSetup)
        return AvalonState(setup=setup)

    def deal(self, setup: Setup, chance: Chance) -> QuestDeal:
        assert isinstance(setup, AvalonSetup)
        return deal_cards(setup, chance)

    def begin(self, now: Now, deal: QuestDeal) -> None:
        for card in hand_out(deal.roles, deal.assassin):
            now.emit(card)
        let_everybody_talk(now)
        if now.state.setup.lady:
            now.emit(LadyGiven(audience=EVERYONE, seat=right_of(deal.leader, now.state.setup.seats)))
        ask_for_team(now, deal.leader, attempt=1)

    def read_deal(self, events: Sequence[Event]) -> QuestDeal:
        return read_quest_deal(events)

    def can_deal(self, setup: Setup, deal: QuestDeal) -> bool:
        assert isinstance(setup, AvalonSetup)
        return can_have_dealt(setup, deal)

    def endings_of(self, setup: Setup) -> tuple[tuple[str | None, str], ...]:
        assert isinstance(setup, AvalonSetup)
        return tuple(one for one in self.endings if setup.merlin or one[1] not in ABOUT_MERLIN)  # A27

    def options(self, state: AvalonState, seat: Seat) -> Options:
        return options_of(state, seat)

    def decide(self, now: Now, seat: Seat, move: Move) -> None:
        match move:
            case CastVote():
                if mark_ballot(now, seat, move.approve):
                    count_votes(now)
            case PlayCard():
                if lay_card(now, seat, move.card):
                    cards_are_in(now)
            case ProposeTeam():
                propose(now, move)
            case UseExcalibur():
                turn_card(now, seat, move.target)
            case LeaveExcalibur():
                leave_excalibur(now, seat)
            case ExamineLoyalty():
                examine(now, seat, move.target)
            case KeepLady():
                keep_lady(now, seat)
            case ShootMerlin():
                shoot(now, move.target)

    def expire(self, now: Now, chance: Chance) -> None:
        state = now.state
        match state.phase.name:
            case "propose":
                miss_proposal(now, chance)
            case "vote":
                reject_for_the_absent(now)
                count_votes(now)
            case "quest":
                lay_for_the_absent(now)
                cards_are_in(now)
            case "excalibur":
                assert state.proposal is not None
                assert state.proposal.excalibur is not None
                leave_excalibur(now, state.proposal.excalibur)
            case "lady":
                assert state.lady is not None
                keep_lady(now, state.lady)
            case "assassination":
                shoot(now, None)

    def seats_of(self, state: AvalonState, winner: str) -> tuple[Seat, ...]:
        return seats_on(Side(winner), roles_in_seat_order(state))


def propose(now: Now, move: ProposeTeam) -> None:
    state = now.state
    quest = state.open_quests()[0] if move.quest is None else move.quest
    now.emit(
        TeamProposed(audience=EVERYONE, leader=state.leader, quest=quest, team=move.team, excalibur=move.excalibur)
    )
    if state.attempt == LAST_ATTEMPT and state.setup.hammer == "auto":
        send_team(now)
    else:
        now.begin_phase("vote", all_seats(state.setup.seats), state.setup.vote_seconds)


def miss_proposal(now: Now, chance: Chance) -> None:
    """C5: a missed proposal counts as rejected; the fifth is drawn."""
    if now.state.attempt < LAST_ATTEMPT:
        now.emit(ProposalMissed(audience=EVERYONE, leader=now.state.leader))
        lose_proposal(now)
        return
    (choice,) = leader_options(now.state)
    assert isinstance(choice, TeamChoice)
    drawn = choice.sample_for_lowest_quest(chance)
    assert isinstance(drawn, ProposeTeam)
    propose(now, drawn)


def count_votes(now: Now) -> None:
    """A12 to A14."""
    ballots = ballots_in_seat_order(now.state)
    approved = has_majority(sum(ballots), len(ballots))
    now.emit(VotesCounted(audience=EVERYONE, ballots=ballots, approved=approved))
    if approved:
        send_team(now)
    else:
        lose_proposal(now)


def lose_proposal(now: Now) -> None:
    """A14, A15: the lead passes to the left, and the fifth rejection wins for Evil."""
    state = now.state
    if state.attempt == LAST_ATTEMPT:
        now.end(Side.EVIL, "five_rejections")
    else:
        ask_for_team(now, left_of(state.leader, state.setup.seats), state.attempt + 1)


def cards_are_in(now: Now) -> None:
    proposal = now.state.proposal
    assert proposal is not None
    if proposal.excalibur is None:
        resolve_quest(now, now.state.cards)
    else:
        now.begin_phase("excalibur", only(proposal.excalibur), now.state.setup.excalibur_seconds)


def turn_card(now: Now, holder: Seat, target: Seat) -> None:
    """A25: the holder alone learns what the card was; everyone sees on whom Excalibur was used."""
    cards = dict(now.state.cards)
    now.emit(ExcaliburUsed(audience=EVERYONE, holder=holder, target=target))
    now.emit(CardShown(audience=only(holder), holder=holder, target=target, card=cards[target]))
    if now.state.setup.excalibur == "both" or cards[target] is Card.FAIL:
        cards[target] = TURNED[cards[target]]
    resolve_quest(now, cards)


def leave_excalibur(now: Now, holder: Seat) -> None:
    now.emit(ExcaliburUnused(audience=EVERYONE, holder=holder))
    resolve_quest(now, now.state.cards)


def resolve_quest(now: Now, cards: dict[Seat, Card]) -> None:
    """A18 to A20, and A27 without an assassination."""
    state = now.state
    assert state.proposal is not None
    count_cards(now, cards, state.setup.fails_needed(state.proposal.quest))
    if state.failures == TO_WIN:
        now.end(Side.EVIL, "three_failures")
    elif state.successes == TO_WIN:
        start_assassination(now)
    elif state.setup.lady and len(state.results) in LADY_AFTER:
        assert state.lady is not None
        now.begin_phase("lady", only(state.lady), state.setup.lady_seconds)
    else:
        next_quest(now)


def next_quest(now: Now) -> None:
    """A16."""
    ask_for_team(now, left_of(now.state.leader, now.state.setup.seats), attempt=1)


def examine(now: Now, holder: Seat, target: Seat) -> None:
    """A23: the holder alone learns the side; the Lady passes to the player examined."""
    side = SIDE_OF[now.state.roles[target]]
    now.emit(LoyaltyExamined(audience=EVERYONE, holder=holder, target=target))
    now.emit(LoyaltyShown(audience=only(holder), holder=holder, target=target, side=side))
    now.emit(LadyGiven(audience=EVERYONE, seat=target))
    next_quest(now)


def keep_lady(now: Now, holder: Seat) -> None:
    """A23, C5: the Lady stays where she is; a choice and a missed deadline look the same."""
    now.emit(LadyUnused(audience=EVERYONE, holder=holder))
    next_quest(now)


def start_assassination(now: Now) -> None:
    """A21; without Merlin there is no assassination (A27)."""
    if not now.state.setup.merlin:
        now.end(Side.GOOD, "three_successes")
        return
    reveal_sides(now)
    assert now.state.assassin is not None
    now.begin_phase("assassination", only(now.state.assassin), now.state.setup.shot_seconds)


def shoot(now: Now, target: Seat | None) -> None:
    """A22."""
    assert now.state.assassin is not None
    now.emit(MerlinShot(audience=EVERYONE, assassin=now.state.assassin, target=target))
    if target is not None and now.state.roles[target] is Role.MERLIN:
        now.end(Side.EVIL, "merlin_assassinated")
    else:
        now.end(Side.GOOD, "merlin_survived")
