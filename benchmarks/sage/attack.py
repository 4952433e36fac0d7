"""An Assassin who does exact Bayes over a bot's published chances: how often it finds Merlin in Avalon.

    python -m benchmarks.sage.attack careful --games 1000
    python -m benchmarks.sage.attack sage --games 200
    python -m benchmarks.sage.attack sage --games 200 --hiding 1      # a Merlin who does nothing with what he knows

plays games among such bots. Where Good has won three quests, it weighs every deal that Evil holds possible by how
likely each player was to do all that was seen, as the bot itself says, and shoots the likeliest Merlin.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import exp, log
from typing import Any, NamedTuple

from roundtable.bots import Dice, FollowingBot, PolicyBot, make_bot, play_out
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.play import Play
from roundtable.core.policy import is_same
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import new_game
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Glimpse, Role, glimpses
from roundtable.games.quests.sage import strategy
from roundtable.lab.tally import Share

NEVER = log(1e-6)  # a chance is a whole number of thousandths, so a bot's "never" may be a rare move


class Deed(NamedTuple):
    """What a seat did, and all that it had heard before."""

    heard: tuple[Event, ...]
    move: Move


def deeds_of(play: Play[Any, Any], seat: Seat) -> Iterator[Deed]:
    heard: list[Event] = []
    for entry in play.entries:
        if entry.actor == seat and isinstance(entry.action, (ProposeTeam, CastVote)):
            yield Deed(tuple(heard), entry.action)
        heard += [event for event in entry.events if event.audience is EVERYONE or seat in event.audience]


def log_chance(play: Play[Any, Any], bot: PolicyBot, seat: Seat, deed: Deed, role: Role, sees: Any) -> float:
    """How likely the bot was to do this with that role."""
    heard = [as_dealt(event, seat, role, sees) for event in deed.heard]
    view = fold(play.game, heard)
    if isinstance(bot, FollowingBot):
        bot.follow(heard)
    said = bot.probabilities(view, play.game.options(view, seat)).items()
    meant = sum(float(chance) for move, chance in said if move is not None and is_same(deed.move, move))
    return max(NEVER, log(meant)) if meant > 0 else NEVER


def as_dealt(event: Event, seat: Seat, role: Role, sees: tuple[Glimpse, ...]) -> Event:
    if not isinstance(event, RoleDealt) or event.seat != seat:
        return event
    return RoleDealt(
        audience=event.audience, seat=seat, role=role, sees=sees, roles_in_game=(), notices=(), is_assassin=False
    )


def likeliest_merlin(play: Play[Any, Any], bot: PolicyBot) -> Seat:
    """By exact Bayes over all deals of Good's roles, where Evil's are known."""
    roles = [play.state.roles[seat] for seat in range(play.state.setup.seats)]
    good = [seat for seat, role in enumerate(roles) if role not in EVIL_ROLES]
    deeds = {seat: list(deeds_of(play, seat)) for seat in good}
    known: dict[tuple[Any, ...], float] = {}
    weights: dict[Seat, list[float]] = {seat: [] for seat in good}
    for order in sorted(set(permutations([roles[seat] for seat in good]))):
        deal = list(roles)
        for seat, role in zip(good, order, strict=True):
            deal[seat] = role
        total = 0.0
        for seat in good:
            sees = glimpses(SIGHTS, tuple(deal), seat)
            key = (seat, deal[seat], sees)
            if key not in known:
                known[key] = sum(log_chance(play, bot, seat, deed, deal[seat], sees) for deed in deeds[seat])
            total += known[key]
        weights[good[order.index(Role.MERLIN)]].append(total)
    return max(good, key=lambda seat: (log_sum(weights[seat]), -seat))


def log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs))


def share(part: int, whole: int) -> str:
    found = Share(part, whole)
    low, high = found.interval
    return f"{100 * found.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sage.attack", description=__doc__)
    parser.add_argument("bot")
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--hiding", type=float, help="how often Merlin and Percival do as a servant would")
    asked = parser.parse_args()
    if asked.hiding is not None:
        shares = (asked.hiding,) * 3
        strategy.PARAMETERS = replace(strategy.PARAMETERS, merlin_leads=shares, merlin_votes=shares, informed=shares)  # type: ignore[attr-defined]
    reached = hits = 0
    for number in range(asked.first, asked.first + asked.games):
        seed = hashlib.sha256(f"attack {asked.seats} {number}".encode()).digest()
        play = new_game("avalon", asked.seats, seed)
        play = play_out(play, {seat: make_bot(asked.bot) for seat in range(asked.seats)}, Dice(number))
        if play.outcome is not None and play.outcome.reason in ("merlin_survived", "merlin_assassinated"):
            bot = make_bot(asked.bot)
            assert isinstance(bot, PolicyBot)
            reached += 1
            hits += play.state.roles[likeliest_merlin(play, bot)] is Role.MERLIN
        if sys.stderr.isatty():
            print(f"\r{number + 1 - asked.first} of {asked.games}", end="", file=sys.stderr, flush=True)
    print(f"{asked.bot}, {asked.seats} players, {asked.games} games")
    print(f"  Good won three quests in {share(reached, asked.games)}")
    print(f"  the attack hit Merlin in {share(hits, reached)} of these")
    print(f"  so Good won {share(reached - hits, asked.games)}")


if __name__ == "__main__":
    main()
