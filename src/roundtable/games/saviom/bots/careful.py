"""How a careful player lives in Saviom: accuse with the crowd, judge by who stood apart, hunt as one by night."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from roundtable.core.options import Options
from roundtable.core.policy import NOTHING, Heard, Leanings, any_of, offered
from roundtable.core.seats import Seat
from roundtable.games.saviom.actions import Accuse, Hunt, Inspect, Judge, LockIn, Protect, Suspect
from roundtable.games.saviom.bots.hearsay import Hearsay, hearsay
from roundtable.games.saviom.formulas import is_majority
from roundtable.games.saviom.setup import Role, Side
from roundtable.games.saviom.state import SaviomState


def careful(view: SaviomState, options: Options, heard: Heard = ()) -> Leanings:
    """The policy. Before the end a view holds one role, that of its own seat."""
    (seat,) = view.roles
    told = hearsay(view, seat, heard)
    match view.phase.name:
        case "day" if seat in view.accusations:
            return reconsider(view, seat, options, told)
        case "day":
            return accuse(view, seat, options, told)
        case "defense":
            return judge(view, seat, options, told)
        case _:
            return act_by_night(view, seat, options, told)


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


def accuse(view: SaviomState, seat: Seat, options: Options, told: Hearsay) -> Leanings:
    return accuse_any(options, wanted_on_trial(view, seat, told))


def accuse_any(options: Options, targets: frozenset[Seat]) -> Leanings:
    return any_of([move for move in offered(options, Accuse) if move.target in targets])


def spared_by(view: SaviomState, seat: Seat) -> frozenset[Seat]:
    return view.pack | cleared(view, seat)


def pointed_at(view: SaviomState, seat: Seat, told: Hearsay) -> frozenset[Seat]:
    """Whom a Seer who is believed has named as a Wolf."""
    return told.wolves - spared_by(view, seat) - {seat}


def wanted_on_trial(view: SaviomState, seat: Seat, told: Hearsay) -> frozenset[Seat]:
    """Trials need a crowd: all go against whom a Seer named or who stood apart, or else with the first accusation, or
    they open one. Where the day waits for every vote, no one abstains.

    Wolves run with the crowd too, if need be against a Wolf: to stand apart would be worse.
    """
    spared = spared_by(view, seat)
    first = opened_against(view)
    named = [other for other in (*stood_apart(view), first) if other is not None and other != seat]
    pointed = pointed_at(view, seat, told)
    anyone = seen_wolves(view) or pointed or view.alive - spared - {seat}
    if not named:
        return anyone
    known = [other for other in named if other in seen_wolves(view)] or sorted(pointed)
    fair = [other for other in named if other not in spared]
    wanted = frozenset((known or fair or (named if view.pack else []))[:1])
    return wanted or (anyone if view.setup.early_end else wanted)


def reconsider(view: SaviomState, seat: Seat, options: Options, told: Hearsay) -> Leanings:
    """After accusing: listen to a Seer, wait until all have accused, join the larger crowd, and hold to it."""
    mine, pointed = view.accusations[seat], pointed_at(view, seat, told)
    if pointed and mine not in pointed | seen_wolves(view):
        return accuse_any(options, frozenset([min(pointed)]))
    if view.alive - frozenset(view.accusations):
        return NOTHING
    crowd = most_named(view.accusations.values())
    if mine in crowd or len(crowd) > 1 or crowd & (spared_by(view, seat) | {seat}):
        return any_of(offered(options, LockIn))
    return accuse_any(options, crowd)


# Defense


def judge(view: SaviomState, seat: Seat, options: Options, told: Hearsay) -> Leanings:
    eliminate = wants_gone(view, seat, told)
    if view.verdicts.get(seat) is eliminate:
        return any_of(offered(options, LockIn))
    return any_of([verdict for verdict in offered(options, Judge) if verdict.eliminate is eliminate])


def wants_gone(view: SaviomState, seat: Seat, told: Hearsay) -> bool:
    if view.pack:
        return view.accused not in view.pack
    if view.accused in seen_wolves(view) | told.wolves:
        return True
    return view.accused not in cleared(view, seat) | told.innocent and looks_like_a_wolf(view)


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


def act_by_night(view: SaviomState, seat: Seat, options: Options, told: Hearsay) -> Leanings:
    match view.roles[seat]:
        case Role.WOLF:
            return hunt(view, seat, options, told)
        case Role.SEER if seat not in view.inspections:
            return inspect(view, options)
        case Role.PROTECTOR if seat not in view.protections and (wards := offered(options, Protect)):
            saved = cleared(view, seat)
            return any_of([ward for ward in wards if ward.target in saved] or wards)
        case _ if locks := offered(options, LockIn):
            return any_of(locks)
        case _ if seat in view.suspicions:
            return NOTHING
        case _:
            return any_of(offered(options, Suspect))


def hunt(view: SaviomState, seat: Seat, options: Options, told: Hearsay) -> Leanings:
    """The first Wolf names any player, above all one who claims to be the Seer, and the others follow; where they
    disagree, they take the lowest seat."""
    if seat in view.hunts:
        return agree(view, seat, options)
    prey = offered(options, Hunt)
    if not view.hunts:
        return any_of([move for move in prey if move.target in told.seers] or prey)
    target = min(most_named(view.hunts.values()))
    return any_of([move for move in prey if move.target == target])


def agree(view: SaviomState, seat: Seat, options: Options) -> Leanings:
    """After choosing: go with the other Wolves, wait for those who have not chosen, and hold to it when most agree."""
    mine = view.hunts[seat]
    others = most_named(prey for wolf, prey in view.hunts.items() if wolf != seat)
    if others and mine not in others:
        return any_of([move for move in offered(options, Hunt) if move.target == min(others)])
    agreed = [wolf for wolf, prey in view.hunts.items() if prey == mine]
    is_settled = view.living_wolves <= frozenset(view.hunts) and is_majority(len(agreed), len(view.living_wolves))
    return any_of(offered(options, LockIn)) if is_settled else NOTHING


def inspect(view: SaviomState, options: Options) -> Leanings:
    """A player not yet seen, as long as there is one."""
    seen = [target for _, target, _ in view.visions]
    choices = offered(options, Inspect)
    return any_of([choice for choice in choices if choice.target not in seen] or choices)
