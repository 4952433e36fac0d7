"""How a game of THavalon goes: rounds of proposals, quests, two declarations, and the Assassin's call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance
from roundtable.core.events import Event
from roundtable.core.game import Game, Transition
from roundtable.core.options import Options
from roundtable.core.phrases import Phrase
from roundtable.core.seats import EVERYONE, NOBODY, Seat, all_seats, left_of, only
from roundtable.core.setup import Setup
from roundtable.core.state import Absorbers
from roundtable.core.values import Value
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
from roundtable.games.quests.phrases import QUEST_PHRASES
from roundtable.games.quests.roles import QUEST_WORDS, Glimpse, Role, Side, seats_on
from roundtable.games.quests.setup import QuestPlan
from roundtable.games.quests.state import QuestDeal
from roundtable.games.quests.tables import TO_WIN, has_majority
from roundtable.games.thavalon.actions import (
    THAVALON_ACTIONS,
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)
from roundtable.games.thavalon.deal import can_have_dealt, deal_roles, hand_out
from roundtable.games.thavalon.events import (
    THAVALON_EVENTS,
    AgravaineDeclared,
    ArthurDeclared,
    TargetCalled,
    TeamSent,
    TeamWithdrawn,
    WentOn,
    WindowClosed,
    WindowOpened,
)
from roundtable.games.thavalon.options import options_of, team_options
from roundtable.games.thavalon.setup import FIRST_ROUND_PROPOSALS, LOVERS, ThavalonSetup
from roundtable.games.thavalon.state import ABSORB_THAVALON, ThavalonState

Now = Transition[ThavalonState]


class Thavalon(Game[ThavalonState, QuestDeal]):
    name: ClassVar[str] = "thavalon"
    setup_type: ClassVar[type[Setup]] = ThavalonSetup
    sides: ClassVar[tuple[str, ...]] = (Side.GOOD, Side.EVIL)
    endings: ClassVar[tuple[tuple[str | None, str], ...]] = (
        (Side.GOOD, "target_survived"),
        (Side.EVIL, "target_assassinated"),
        (Side.EVIL, "three_failures"),
        (Side.EVIL, "five_rejections"),
    )
    events: ClassVar[tuple[type[Event], ...]] = (*QUEST_EVENTS, *THAVALON_EVENTS)
    actions: ClassVar[tuple[type[Action], ...]] = (*QUEST_ACTIONS, *THAVALON_ACTIONS)
    parts: ClassVar[tuple[type[Value], ...]] = (Glimpse, QuestPlan)
    words: ClassVar[frozenset[str]] = QUEST_WORDS
    phrases: ClassVar[Mapping[str, Phrase]] = QUEST_PHRASES
    absorb: ClassVar[Absorbers] = ABSORB_THAVALON

    def blank(self, setup: Setup) -> ThavalonState:
        assert isinstance(setup, ThavalonSetup)
        return ThavalonState(setup=setup)

    def deal(self, setup: Setup, chance: Chance) -> QuestDeal:
        assert isinstance(setup, ThavalonSetup)
        return deal_roles(setup, chance)

    def begin(self, now: Now, deal: QuestDeal) -> None:
        assert deal.assassin is not None
        for card in hand_out(deal.roles, deal.assassin):
            now.emit(card)
        let_everybody_talk(now)
        ask_for_team(now, deal.leader, attempt=1)

    def read_deal(self, events: Sequence[Event]) -> QuestDeal:
        return read_quest_deal(events)

    def can_deal(self, setup: Setup, deal: QuestDeal) -> bool:
        assert isinstance(setup, ThavalonSetup)
        return can_have_dealt(setup, deal)

    def options(self, state: ThavalonState, seat: Seat) -> Options:
        return options_of(state, seat)

    def decide(self, now: Now, seat: Seat, move: Move) -> None:
        match move:
            case CastVote():
                if mark_ballot(now, seat, move.approve):
                    count_votes(now)
            case PlayCard():
                if lay_card(now, seat, move.card):
                    resolve_quest(now)
            case ProposeTeam():
                propose(now, move.team)
            case GoOn():
                go_on(now, seat)
            case DeclareArthur():
                declare_arthur(now, seat)
            case DeclareAgravaine():
                declare_agravaine(now, seat)
            case CallMerlin():
                call(now, Role.MERLIN, (move.target,))
            case CallNimue():
                call(now, Role.NIMUE, (move.target,))
            case CallLovers():
                call(now, "Lovers", tuple(sorted(move.targets)))
            case CallNobody():
                call(now, "nobody", ())

    def expire(self, now: Now, chance: Chance) -> None:
        match now.state.phase.name:
            case "propose":
                miss_proposal(now, chance)
            case "stand":
                open_vote_or_send(now)
            case "reckoning":
                close_window(now)
                start_assassination(now)
            case "vote":
                reject_for_the_absent(now)
                count_votes(now)
            case "quest":
                lay_for_the_absent(now)
                resolve_quest(now)
            case "assassination":
                call(now, None, ())

    def seats_of(self, state: ThavalonState, winner: str) -> tuple[Seat, ...]:
        return seats_on(Side(winner), roles_in_seat_order(state))


# Proposals and votes


def ask_again(now: Now) -> None:
    """T16, T21: after a declaration the same leader proposes again, and no proposal is used up."""
    now.emit(TeamWithdrawn(audience=EVERYONE, leader=now.state.leader))
    now.begin_phase("propose", only(now.state.leader), now.state.setup.propose_seconds)


def propose(now: Now, team: frozenset[Seat]) -> None:
    state = now.state
    now.emit(TeamProposed(audience=EVERYONE, leader=state.leader, quest=state.quest, team=team))
    if state.is_paired and state.attempt < FIRST_ROUND_PROPOSALS:
        ask_for_team(now, left_of(state.leader, state.setup.seats), state.attempt + 1)
    elif state.window is not None:
        now.begin_phase("stand", NOBODY, state.setup.declare_seconds if state.setup.clock else None)
    else:
        open_vote_or_send(now)


def open_vote_or_send(now: Now) -> None:
    """T15: the last proposal of a round is not voted on. Either way Agravaine's window closes (T21)."""
    close_window(now)
    if now.state.goes_without_vote:
        send_team(now)
    else:
        now.begin_phase("vote", all_seats(now.state.setup.seats), now.state.setup.vote_seconds)


def count_votes(now: Now) -> None:
    """A12 to A14; a declared Arthur counts twice (T16)."""
    state = now.state
    ballots = ballots_in_seat_order(state)
    approvals, votes = sum(ballots), len(ballots)
    if state.arthur is not None:
        approvals += ballots[state.arthur]
        votes += 1
    approved = has_majority(approvals, votes)
    now.emit(VotesCounted(audience=EVERYONE, ballots=ballots, approved=approved))
    if state.is_paired:
        send_one_of_pair(now, approved)
    elif approved:
        send_team(now)
    else:
        lose_proposal(now)


def send_one_of_pair(now: Now, approved: bool) -> None:
    """T14, `paired`: approving sends the first team, rejecting or a tie the second."""
    chosen = now.state.first_of_pair if approved else now.state.proposal
    assert chosen is not None
    now.emit(TeamSent(audience=EVERYONE, leader=chosen.leader, quest=chosen.quest, team=chosen.team))
    send_team(now)


def miss_proposal(now: Now, chance: Chance) -> None:
    """C5: a missed proposal counts as rejected; the last one, and either of a pair, is drawn."""
    state = now.state
    if state.attempt < state.proposals_allowed and not state.is_paired:
        now.emit(ProposalMissed(audience=EVERYONE, leader=state.leader))
        lose_proposal(now)
        return
    (choice,) = team_options(state)
    drawn = choice.sample(chance)
    assert isinstance(drawn, ProposeTeam)
    propose(now, drawn.team)


def lose_proposal(now: Now) -> None:
    """A14; where rejections are counted, the fifth wins for Evil (T26, A15)."""
    if now.state.attempt == now.state.proposals_allowed:
        now.end(Side.EVIL, "five_rejections")
        return
    ask_for_team(now, left_of(now.state.leader, now.state.setup.seats), now.state.attempt + 1)


# Quests and declarations


def resolve_quest(now: Now) -> None:
    """T18 to T22."""
    state = now.state
    assert state.proposal is not None
    count_cards(now, state.cards, state.setup.fails_needed(state.proposal.quest))
    result = state.results[-1]
    if state.setup.has_agravaine and result.succeeded and result.fails:
        now.emit(WindowOpened(audience=EVERYONE, quest=result.quest))
    if state.window is not None and state.successes == TO_WIN:
        now.begin_phase("reckoning", NOBODY, state.setup.declare_seconds if state.setup.clock else None)
    else:
        reckon(now)


def reckon(now: Now) -> None:
    """T22: three failures end the game, three successes open the assassination."""
    state = now.state
    if state.failures == TO_WIN:
        now.end(Side.EVIL, "three_failures")
    elif state.successes == TO_WIN:
        start_assassination(now)
    else:
        ask_for_team(now, left_of(state.leader, state.setup.seats), attempt=1)


def close_window(now: Now) -> None:
    if now.state.window is not None:
        now.emit(WindowClosed(audience=EVERYONE, quest=now.state.window))


def go_on(now: Now, seat: Seat) -> None:
    now.emit(WentOn(audience=only(seat), seat=seat))
    if len(now.state.went_on) < now.state.setup.seats:
        return
    if now.state.phase.name == "stand":
        open_vote_or_send(now)
    else:
        close_window(now)
        start_assassination(now)


def declare_agravaine(now: Now, seat: Seat) -> None:
    """T21: the quest fails instead."""
    state = now.state
    assert state.window is not None
    now.emit(AgravaineDeclared(audience=EVERYONE, seat=seat, quest=state.window))
    close_window(now)
    if state.failures == TO_WIN or state.phase.name == "reckoning":
        reckon(now)
    elif state.phase.name == "stand":
        ask_again(now)


def declare_arthur(now: Now, seat: Seat) -> None:
    """T16: a proposal on the table is withdrawn, and its votes stay secret until the end."""
    now.emit(ArthurDeclared(audience=EVERYONE, seat=seat))
    if now.state.phase.name != "propose":
        ask_again(now)


# The end


def start_assassination(now: Now) -> None:
    reveal_sides(now)
    assert now.state.assassin is not None
    now.begin_phase("assassination", only(now.state.assassin), now.state.setup.shot_seconds)


def call(now: Now, called_as: str | None, seats: tuple[Seat, ...]) -> None:
    """T24."""
    state = now.state
    assert state.assassin is not None
    now.emit(TargetCalled(audience=EVERYONE, assassin=state.assassin, called_as=called_as, seats=seats))
    dealt = state.setup.target_roles.intersection(state.roles.values())
    if is_right(called_as, {state.roles[seat] for seat in seats}, dealt):
        now.end(Side.EVIL, "target_assassinated")
    else:
        now.end(Side.GOOD, "target_survived")


def is_right(called_as: str | None, named: set[Role], dealt: frozenset[Role]) -> bool:
    """Whether those named have the role that they are called, or no target at all was dealt."""
    match called_as:
        case None:
            return False
        case "Lovers":
            return named == LOVERS
        case "nobody":
            return not dealt
        case _:
            return named == {called_as}
