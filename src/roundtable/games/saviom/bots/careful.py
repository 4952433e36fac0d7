"""How a careful player lives in Saviom: accuse with the crowd, judge by who stood apart, hunt as one by night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from roundtable.core.options import Options
from roundtable.core.policy import NOTHING, Leanings, any_of, offered
from roundtable.core.seats import Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, LockIn, Protect, Suspect
from roundtable.games.saviom.setup import Role, Side
from roundtable.games.saviom.state import SaviomState


def careful(view: SaviomState, options: Options) -> Leanings:
    """The policy. Before the end a view holds one role, that of its own seat."""
    (seat,) = view.roles
    match view.phase.name:
        case "day":
            return accuse(view, seat, options)
        case "defense":
            return judge(view, seat, options)
        case _:
            return act_by_night(view, seat, options)


# What a seat knows


def seen_wolves(view: SaviomState) -> frozenset[Seat]:
    """The living Wolves that this seat, as the Seer, has seen (S10)."""
    return frozenset([target for _, target, is_wolf in view.visions if is_wolf]) & view.alive


def cleared(view: SaviomState, seat: Seat) -> frozenset[Seat]:
    """Whom the Seer has seen to be no Wolf, and whom the Protector seems to have saved in a night without a death."""
    seen = frozenset([target for _, target, is_wolf in view.visions if not is_wolf])
    ward = view.protected_last.get(seat)
    was_quiet = view.quiet > (1 if view.phase.name == "night" else 0)  # the night, and not only the day after it
    return seen | {ward} if was_quiet and ward is not None else seen


def wolves_left(view: SaviomState) -> int:
    """How many Wolves there are at most: all of the deal but those revealed when they died (S4, S11)."""
    dead = [fate for fate in view.fates.values() if fate in (Role.WOLF, Side.WOLVES)]
    return view.setup.all_roles.count(Role.WOLF) - len(dead)


def most_named(targets: Iterable[Seat]) -> frozenset[Seat]:
    counts = Counter(targets)
    most = max(counts.values(), default=0)
    return frozenset([target for target, count in counts.items() if count == most])


# Day


def opened_against(view: SaviomState) -> Seat | None:
    """Whom the first accusation of the day names."""
    return next(iter(view.accusations.values()), None)


def stood_apart(view: SaviomState) -> list[Seat]:
    """Those who joined neither the first accusation nor one against a player who stood apart; its target may."""
    first = opened_against(view)
    apart: list[Seat] = []
    for accuser, target in view.accusations.items():
        if accuser != first and target != first and target not in apart:
            apart.append(accuser)
    return apart


def accuse(view: SaviomState, seat: Seat, options: Options) -> Leanings:
    """Accuse, and once that is done, hold to it."""
    targets = wanted_on_trial(view, seat)
    if view.accusations.get(seat) in targets:
        return any_of(offered(options, LockIn))
    return any_of([move for move in offered(options, Accuse) if move.target in targets])


def wanted_on_trial(view: SaviomState, seat: Seat) -> frozenset[Seat]:
    """Trials need a crowd: all go against who stood apart, or else with the first accusation, or they open one.

    Wolves run with the crowd too, if need be against a Wolf: to stand apart would be worse.
    """
    spared = view.pack | cleared(view, seat)
    first = opened_against(view)
    named = [other for other in (*stood_apart(view), first) if other is not None and other != seat]
    if not named:
        return seen_wolves(view) or view.alive - spared - {seat}
    known = [other for other in named if other in seen_wolves(view)]
    fair = [other for other in named if other not in spared]
    return frozenset((known or fair or (named if view.pack else []))[:1])


# Defense


def judge(view: SaviomState, seat: Seat, options: Options) -> Leanings:
    if seat in view.verdicts:
        return any_of(offered(options, LockIn))
    eliminate = wants_gone(view, seat)
    return any_of([verdict for verdict in offered(options, Judge) if verdict.eliminate is eliminate])


def wants_gone(view: SaviomState, seat: Seat) -> bool:
    if view.pack:
        return view.accused not in view.pack
    if view.accused in seen_wolves(view):
        return True
    return view.accused not in cleared(view, seat) and looks_like_a_wolf(view)


def looks_like_a_wolf(view: SaviomState) -> bool:
    """Citizens go with the crowd, so who stood apart is a Wolf, and if all Wolves did, the accused is none.

    Otherwise there is no telling. A town of an even number then waits: one night later it can afford as many mistakes
    as now, and has fewer to choose from.
    """
    apart = stood_apart(view)
    if view.accused in apart:
        return True
    return len(view.alive) % 2 == 1 and len(apart) < wolves_left(view)


# Night


def act_by_night(view: SaviomState, seat: Seat, options: Options) -> Leanings:
    match view.roles[seat]:
        case Role.WOLF:
            return hunt(view, seat, options)
        case Role.SEER if seat not in view.inspections:
            return inspect(view, options)
        case Role.PROTECTOR if seat not in view.protections and (wards := offered(options, Protect)):
            saved = cleared(view, seat)
            return any_of([ward for ward in wards if ward.target in saved] or wards)
        case _:
            return any_of(offered(options, LockIn if seat in view.suspicions else Suspect))


def hunt(view: SaviomState, seat: Seat, options: Options) -> Leanings:
    """The first Wolf names any player, and the others follow; where they disagree, they take the lowest seat.

    A Wolf holds to its choice only when all have named the same player, since it may have to follow another.
    """
    if not view.hunts:
        return any_of(offered(options, Hunt))
    target = min(most_named(view.hunts.values()))
    if view.hunts.get(seat) == target:
        agreed = [wolf for wolf, prey in view.hunts.items() if prey == target]
        return any_of(offered(options, LockIn)) if view.living_wolves <= set(agreed) else NOTHING
    return any_of([move for move in offered(options, Hunt) if move.target == target])


def inspect(view: SaviomState, options: Options) -> Leanings:
    """A player not yet seen, as long as there is one."""
    seen = [target for _, target, _ in view.visions]
    choices = offered(options, Inspect)
    return any_of([choice for choice in choices if choice.target not in seen] or choices)
