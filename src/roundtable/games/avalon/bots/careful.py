"""How a careful player plays Avalon, with the Lady, Excalibur, chosen quests and the Assassin's shot."""

from __future__ import annotations

from roundtable.core.options import Options
from roundtable.core.policy import NOTHING, Heard, Leanings, any_of, offered, surely
from roundtable.core.seats import Seat
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.bots.knowledge import Bound, exactly, mask_of
from roundtable.games.quests.bots.mind import SHOWN_AS_PAIR, Mind, Team, make_mind, shown_at_the_start
from roundtable.games.quests.bots.quests import (
    card_of,
    favourite_teams,
    gives_up,
    lean_to,
    team_choice,
    vote_on,
    wants_to_fail,
)
from roundtable.games.quests.bots.shots import likeliest_merlins
from roundtable.games.quests.bots.suspicion import A_FAIL, CERTAIN, TRUSTED
from roundtable.games.quests.options import TeamChoice
from roundtable.games.quests.roles import Card, Role, Side
from roundtable.games.quests.tables import SIDES_BY_COUNT, TO_WIN, fails_needed


def careful(view: AvalonState, options: Options, heard: Heard = ()) -> Leanings:
    """The policy. Before the end a view holds one role, that of its own seat."""
    (seat,) = view.roles
    match view.phase.name:
        case "propose":
            return lead(view, options, mind_in_avalon(view, seat, heard))
        case "vote":
            return NOTHING if seat in view.voted else vote(view, options, mind_in_avalon(view, seat, heard))
        case "quest":
            return play_card(view, options, mind_in_avalon(view, seat, heard))
        case "excalibur":
            return use_excalibur(view, options, mind_in_avalon(view, seat, heard))
        case "lady":
            return examine(options, mind_in_avalon(view, seat, heard))
        case _:
            merlins = likeliest_merlins(view)
            return any_of([shot for shot in offered(options, ShootMerlin) if shot.target in merlins])


# What a seat knows


def mind_in_avalon(view: AvalonState, seat: Seat, heard: Heard = ()) -> Mind:
    evil = SIDES_BY_COUNT[view.setup.seats][1]
    private = (*dealt_bounds(view, seat), *seen_bounds(view))
    return make_mind(view, seat, evil, public_bounds(view), private, heard=heard)


def public_bounds(view: AvalonState) -> tuple[Bound, ...]:
    """Every Fail was an Evil player's, but for one that Excalibur may have made (A17, A25)."""
    made = fails_made(view.setup.excalibur)
    failed = [result for result in view.results if result.fails > made]
    return tuple([Bound(mask_of(result.team), result.fails - made, len(result.team)) for result in failed])


def fails_made(excalibur: str) -> int:
    return int(excalibur == "both")


def dealt_bounds(view: AvalonState, seat: Seat) -> list[Bound]:
    """What one's card says about the seats that were shown with it (A6 to A10)."""
    return [
        exactly(morganas(view) if shown.seen_as == SHOWN_AS_PAIR else len(shown.seats), shown.seats)
        for shown in shown_at_the_start(view, seat)
    ]


def morganas(view: AvalonState) -> int:
    return int(Role.MORGANA in view.setup.special_roles)


def seen_bounds(view: AvalonState) -> list[Bound]:
    """What the Lady and Excalibur have shown this seat (A23, A25)."""
    examined = [exactly(int(side is Side.EVIL), (target,)) for _, target, side in view.loyalties]
    return examined + [exactly(1, (target,)) for _, target, card in view.excalibur_shown if card is Card.FAIL]


def needed_for(view: AvalonState, quest: int) -> int:
    return fails_needed(view.setup.seats, quest, view.setup.two_fails_from)


# Teams, votes and cards


def lead(view: AvalonState, options: Options, mind: Mind) -> Leanings:
    choice = team_choice(options)
    assert choice is not None
    quest, size = min(choice.sizes, key=lambda named: danger(mind.is_evil, named[1], needed_for(view, named[0] or 1)))
    needed = needed_for(view, quest or view.open_quests()[0])
    return any_of(
        [
            ProposeTeam(phase=choice.phase, team=team, quest=quest, excalibur=bearer)
            for team in favourite_teams(mind, choice.eligible, size, needed)
            for bearer in bearers(choice, mind, team)
        ]
    )


def danger(is_evil: bool, size: int, needed: int) -> int:
    """A24: small teams first. A quest that needs two Fails suits Good, and Evil leaves it alone."""
    return size * needed if is_evil else 2 * size // needed


def bearers(choice: TeamChoice, mind: Mind, team: Team) -> list[Seat | None]:
    """A25: Evil gives Excalibur to one of its own if it can; otherwise the least suspect member carries it."""
    holders = choice.holders(team)
    fellows = [holder for holder in holders if holder is not None and mind.fellows >> holder & 1]
    if fellows:
        return list(fellows)
    costs = [0 if holder is None else mind.points[holder] for holder in holders]
    return [holder for holder, cost in zip(holders, costs, strict=True) if cost == min(costs)]


def vote(view: AvalonState, options: Options, mind: Mind) -> Leanings:
    """Good never rejects the fifth team; Evil rejects only one that would win the game for Good."""
    assert view.proposal is not None
    team, needed = view.proposal.team, needed_for(view, view.proposal.quest)
    if view.attempt < LAST_ATTEMPT:
        return vote_on(view, options, mind, team, needed)
    return lean_to(options, not gives_up(mind.is_evil, mind.fellows_on(team) >= needed, view.successes))


def play_card(view: AvalonState, options: Options, mind: Mind) -> Leanings:
    assert view.proposal is not None
    fails = wants_to_fail(mind, view.proposal.team, needed_for(view, view.proposal.quest))
    return surely(card_of(options, Card.FAIL if fails else Card.SUCCESS))


# The Lady and Excalibur


def use_excalibur(view: AvalonState, options: Options, mind: Mind) -> Leanings:
    """Good turns the card of a player whom it heavily suspects; a Fail that Evil wanted lies on the table already."""
    points = mind.face if view.failures < TO_WIN - 1 else mind.points  # Merlin hides as long as he can
    uses = offered(options, UseExcalibur)
    worst = max([points[use.target] for use in uses])
    if not turns(mind.is_evil, view.setup.excalibur == "fail_only", worst):
        return any_of(offered(options, LeaveExcalibur))
    return any_of([use for use in uses if points[use.target] == worst])


def turns(is_evil: bool, is_harmless: bool, worst: int) -> bool:
    return not is_evil and (is_harmless or worst > A_FAIL)


def examine(options: Options, mind: Mind) -> Leanings:
    """Good asks about whom it suspects most without being sure; Evil hands the Lady to one of its own, or keeps her."""
    questions = offered(options, ExamineLoyalty)
    if mind.is_evil:
        fellows = [ask for ask in questions if mind.fellows >> ask.target & 1]
        return any_of(fellows or offered(options, KeepLady) or questions)
    unsure = [ask for ask in questions if mind.face[ask.target] not in (CERTAIN, TRUSTED)] or questions
    worst = max([mind.face[ask.target] for ask in unsure])
    return any_of([ask for ask in unsure if mind.face[ask.target] == worst])
