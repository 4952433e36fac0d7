"""What `careful` leans to in Saviom, as sets of seats: games/saviom/bots/careful.py over whole numbers."""

from __future__ import annotations

from roundtable.games.saviom.compiled.state import NOBODY, Now, Rules, has, named_most, without
from roundtable.kernels.compiling import compiled

SAVE, ELIMINATE = 1, 2  # the two verdicts as a set


@compiled
def seen_wolves(now: Now, seat: int) -> int:
    return now.seen_wolves & now.alive if seat == now.seer else 0


@compiled
def cleared(now: Now, seat: int, quiet: int) -> int:
    """Whom the Seer saw to be no Wolf, and whom the Protector seems to have saved, if it was quiet for longer."""
    if seat == now.seer:
        return now.seen & ~now.seen_wolves
    if seat == now.protector and now.ward != NOBODY and now.quiet > quiet:
        return 1 << now.ward
    return 0


# Day


@compiled
def remember(now: Now, accuser: int, target: int) -> None:
    """What an accusation says about its accuser: do they stand apart?"""
    if now.first == NOBODY:
        now.first = target
    elif accuser != now.first and target != now.first and not has(now.apart, target):
        now.apart_in_turn |= accuser << (4 * now.apart.bit_count())
        now.apart |= 1 << accuser


@compiled
def wanted_on_trial(rules: Rules, now: Now, seat: int) -> int:
    """All go against who stood apart, or else with the first accusation, or they open one."""
    named = without(now.apart if now.first == NOBODY else now.apart | 1 << now.first, seat)
    known = seen_wolves(now, seat)
    pack = now.wolves if has(now.wolves, seat) else 0
    spared = pack | cleared(now, seat, 0)
    anyone = known if known else without(now.alive, seat) & ~spared
    if not named:
        return anyone
    if named & known:
        return earliest(now, named & known)
    if named & ~spared:
        return earliest(now, named & ~spared)
    if pack:
        return earliest(now, named)
    return anyone if rules.no_one_abstains else 0


@compiled
def earliest(now: Now, named: int) -> int:
    """Of these who stood apart first, or else whom the first accusation names."""
    in_turn = now.apart_in_turn
    for _ in range(now.apart.bit_count()):
        if has(named, in_turn & 15):
            return 1 << (in_turn & 15)
        in_turn >>= 4
    return 1 << now.first


# Defense


@compiled
def verdict(rules: Rules, now: Now, seat: int, accused: int) -> int:
    if has(now.wolves, seat):
        wants_gone = not has(now.wolves, accused)
    elif has(seen_wolves(now, seat), accused):
        wants_gone = True
    else:
        wants_gone = not has(cleared(now, seat, 0), accused) and looks_like_a_wolf(rules, now, accused)
    return ELIMINATE if wants_gone else SAVE


@compiled
def looks_like_a_wolf(rules: Rules, now: Now, accused: int) -> bool:
    if has(now.apart, accused):
        return True
    wolves_left = now.wolves & now.alive if rules.reveals_wolves else now.wolves
    return now.alive.bit_count() % 2 == 1 and now.apart.bit_count() < wolves_left.bit_count()


# Night


@compiled
def hunted(prey: int, tally: int, most: int) -> int:
    """Any player for the first Wolf; the others follow, and where they disagree, they take the lowest seat."""
    return 1 << named_most(tally, most) if most else prey


@compiled
def protected(now: Now, wards: int, seat: int) -> int:
    saved = wards & cleared(now, seat, 1)
    return saved if saved else wards


@compiled
def inspected(now: Now, others: int) -> int:
    fresh = others & ~now.seen
    return fresh if fresh else others
