"""An Assassin who does exact Bayes over a bot's published chances: how often it finds Merlin in Avalon.

    python -m benchmarks.sage.attack careful --games 1000
    python -m benchmarks.sage.attack sage --games 200

plays games among such bots; with `--log FILE` the same command goes on where it stopped. Where Good has won three
quests, it weighs every deal that Evil holds possible by how likely each player was to do all that was seen, as the bot
itself says, and shoots the likeliest Merlin. How likely that one is to be Merlin is printed beside the hits: its mean
varies less from game to game.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

from roundtable.bots import Dice, FollowingBot, PolicyBot, make_bot, play_out
from roundtable.bots.sage.bot import Mind, SageBot
from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.play import Play
from roundtable.core.policy import is_same
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import GAMES, new_game
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Glimpse, Role, glimpses
from roundtable.games.quests.sage.endgame import is_last_team
from roundtable.lab.tally import Z_95, Share

FEWEST = 5  # seats; here a sage weighs all teams, whomever it poses as
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


class Reader:
    """How likely a bot is to have made the moves of one game, with one role or another."""

    def __init__(self, play: Play[Any, Any], bot: PolicyBot) -> None:
        self._play = play
        self._bot = bot
        self._known: dict[tuple[Seat, int, Event], float] = {}

    def log_chance(self, seat: Seat, deed: Deed, role: Role, sees: tuple[Glimpse, ...]) -> float:
        heard = tuple(as_dealt(event, seat, role, sees) for event in deed.heard)
        heard = self._as_posed(seat, heard)
        card = next(event for event in heard if isinstance(event, RoleDealt) and event.seat == seat)
        key = (seat, len(heard), card)
        if key not in self._known:
            self._known[key] = self._said(seat, heard, deed.move)
        return self._known[key]

    def _said(self, seat: Seat, heard: tuple[Event, ...], move: Move) -> float:
        game = self._play.game
        view = fold(game, heard)
        if isinstance(self._bot, FollowingBot):
            self._bot.follow(heard)
        said = self._bot.probabilities(view, game.options(view, seat)).items()
        meant = sum(float(chance) for other, chance in said if other is not None and is_same(move, other))
        return max(NEVER, log(meant)) if meant > 0 else NEVER

    def _as_posed(self, seat: Seat, heard: tuple[Event, ...]) -> tuple[Event, ...]:
        """A sage who poses as another player is asked as that player, so that fewer questions are asked."""
        if not isinstance(self._bot, SageBot) or self._play.state.setup.seats != FEWEST:
            return heard
        game, spec = self._play.game, GAMES[self._play.state.setup.game]
        view = fold(game, heard)
        disguise = Mind(spec, self._bot.level, view, game.options(view, seat), heard, 0).disguise()
        return heard if disguise is None or is_last_team(view, seat, LAST_ATTEMPT) else disguise.heard


def as_dealt(event: Event, seat: Seat, role: Role, sees: tuple[Glimpse, ...]) -> Event:
    if not isinstance(event, RoleDealt) or event.seat != seat:
        return event
    return RoleDealt(
        audience=event.audience, seat=seat, role=role, sees=sees, roles_in_game=(), notices=(), is_assassin=False
    )


def merlin_chances(play: Play[Any, Any], bot: PolicyBot) -> dict[Seat, float]:
    """How likely each Good seat is Merlin: by exact Bayes over all deals of Good's roles, where Evil's are known."""
    roles = [play.state.roles[seat] for seat in range(play.state.setup.seats)]
    good = [seat for seat, role in enumerate(roles) if role not in EVIL_ROLES]
    deeds = {seat: list(deeds_of(play, seat)) for seat in good}
    reader = Reader(play, bot)
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
                known[key] = sum(reader.log_chance(seat, deed, deal[seat], sees) for deed in deeds[seat])
            total += known[key]
        weights[good[order.index(Role.MERLIN)]].append(total)
    logs = {seat: log_sum(weights[seat]) for seat in good}
    whole = log_sum(list(logs.values()))
    return {seat: exp(logs[seat] - whole) for seat in good}


def log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs))


class Game(NamedTuple):
    """How one game went, and how likely the Assassin was to find Merlin where it came to a shot."""

    number: int
    reached: bool
    hit: bool
    expected: float


def attacked(name: str, seats: int, number: int) -> Game:
    seed = hashlib.sha256(f"attack {seats} {number}".encode()).digest()
    play = new_game("avalon", seats, seed)
    play = play_out(play, {seat: make_bot(name) for seat in range(seats)}, Dice(number))
    if play.outcome is None or play.outcome.reason not in ("merlin_survived", "merlin_assassinated"):
        return Game(number, reached=False, hit=False, expected=0.0)
    bot = make_bot(name)
    assert isinstance(bot, PolicyBot)
    found = merlin_chances(play, bot)
    shot = max(found, key=lambda seat: (round(found[seat], 9), -seat))
    return Game(number, reached=True, hit=play.state.roles[shot] is Role.MERLIN, expected=found[shot])


def share(part: int, whole: int) -> str:
    found = Share(part, whole)
    low, high = found.interval
    return f"{100 * found.rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def mean(values: Sequence[float]) -> str:
    middle = sum(values) / len(values) if values else 0.0
    spread = (sum((value - middle) ** 2 for value in values) / max(1, len(values) - 1) / max(1, len(values))) ** 0.5
    return f"{100 * middle:.1f} % ({100 * (middle - Z_95 * spread):.1f} to {100 * (middle + Z_95 * spread):.1f})"


def report(games: Sequence[Game]) -> Iterator[str]:
    reached = [game for game in games if game.reached]
    hits = sum(game.hit for game in reached)
    yield f"  Good won three quests in {share(len(reached), len(games))}"
    yield f"  the attack hit Merlin in {share(hits, len(reached))} of these"
    yield f"  by its own reckoning, in {mean([game.expected for game in reached])}"
    yield f"  so Good won {share(len(reached) - hits, len(games))}"
    yield f"  or, by that reckoning, {mean([kept(game) for game in games])}"


def kept(game: Game) -> float:
    """How likely Good was to win, by the reckoning of the attack."""
    return game.reached - game.expected


def compared(games: Sequence[Game], others: Sequence[Game]) -> str:
    rest = {game.number: game for game in others}
    gains = [kept(game) - kept(rest[game.number]) for game in games if game.number in rest]
    return f"  in the same {len(gains)} games, Good won more often by {mean(gains)}"


def read_log(path: Path | None) -> list[Game]:
    if path is None or not path.exists():
        return []
    return [Game(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sage.attack", description=__doc__)
    parser.add_argument("bot")
    parser.add_argument("--seats", type=int, default=FEWEST)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--log", type=Path, help="keep the games here; the same command goes on from there")
    parser.add_argument("--beside", type=Path, help="a log of the same games to compare with")
    asked = parser.parse_args()
    games = read_log(asked.log)
    for number in range(asked.first + len(games), asked.first + asked.games):
        games.append(attacked(asked.bot, asked.seats, number))
        if asked.log is not None:
            with asked.log.open("a", encoding="utf-8") as log:
                log.write(json.dumps(games[-1]._asdict()) + "\n")
        if sys.stderr.isatty():
            print(f"\r{number + 1 - asked.first} of {asked.games}", end="", file=sys.stderr, flush=True)
    print(f"{asked.bot}, {asked.seats} players, {len(games)} games")
    print("\n".join(report(games)))
    if asked.beside is not None:
        print(compared(games, read_log(asked.beside)))


if __name__ == "__main__":
    main()
