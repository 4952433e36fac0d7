"""Solve the last team of the last quest of Avalon at every number of seats, and print how exact the solutions are.

    python -m benchmarks.sage.endgames [--games 8] [--bots careful]

Bots play to two quests each; then all reject until the last team. `gap` is the exploitability that was reached,
`left out` the chance of a deal that was too unlikely to be looked at: in the whole game the exploitability is at most
the sum of the two. CPU times are in milliseconds: to hear the game as an onlooker, to solve, and the longest of both
together. `ratio` is both to the time in which an onlooker without a model of players hears the game.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import count, islice, pairwise
from statistics import median
from typing import Any, NamedTuple

from roundtable.belief import belief_of
from roundtable.bots import Dice, make_bot
from roundtable.bots.playing import ask_round
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import new_game, spec_named
from roundtable.games.avalon.setup import LAST_ATTEMPT
from roundtable.games.quests.actions import CastVote
from roundtable.games.quests.roles import EVIL_ROLES
from roundtable.games.quests.sage.endgame import Solution, is_last_team, solve_last_team
from roundtable.games.quests.tables import TO_WIN

SEATS = range(5, 11)


class Measured(NamedTuple):
    solution: Solution
    bare: float  # seconds of CPU time
    hearing: float
    solving: float


def endgames(seats: int, bot: str) -> Iterator[Play[Any, Any]]:
    """Games in which a Good leader names the last team."""
    for number in count():
        dice = Dice(number)
        play = new_game("avalon", seats, dice.randbytes(32))
        bots = {seat: make_bot(bot) for seat in range(seats)}
        while not play.is_over and not is_last_team(play.state, play.state.leader, LAST_ATTEMPT):
            if play.phase.name == "vote" and play.state.successes == play.state.failures == TO_WIN - 1:
                reject(play)
            else:
                ask_round(play, bots, dice)
        if not play.is_over and play.state.roles[play.state.leader] not in EVIL_ROLES:
            yield play


def reject(play: Play[Any, Any]) -> None:
    phase = play.phase.number
    for seat in range(play.state.setup.seats):
        play.act(seat, CastVote(phase=phase, approve=False))


def measure(play: Play[Any, Any]) -> Measured:
    spec, setup = spec_named("avalon"), play.state.setup
    events = play.events_for(SPECTATOR)
    times = [time.process_time()]
    belief_of(spec, setup).hear_all(events)
    times.append(time.process_time())
    belief: Any = belief_of(spec, setup, SPECTATOR, spec.part("sage").model(setup))
    belief.hear_all(events)
    times.append(time.process_time())
    solution = solve_last_team(belief, play.state.leader)
    times.append(time.process_time())
    return Measured(solution, *(after - before for before, after in pairwise(times)))


def report(seats: int, found: list[Measured]) -> str:
    solutions = [one.solution for one in found]
    hearing, solving = (1000 * median(getattr(one, part) for one in found) for part in ("hearing", "solving"))
    longest = 1000 * max(one.hearing + one.solving for one in found)
    ratio = median((one.hearing + one.solving) / one.bare for one in found)
    return (
        f"{seats:5} {median(one.value for one in solutions):6.3f}"
        f" {median(one.exploitability for one in solutions):8.5f}"
        f" {max(one.exploitability for one in solutions):8.5f} {max(1 - one.covered for one in solutions):8.5f}"
        f" {median(one.rounds for one in solutions):6.0f} {max(one.rounds for one in solutions):6}"
        f" {hearing:7.0f} {solving:7.0f} {longest:7.0f} {ratio:6.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sage.endgames", description=__doc__)
    parser.add_argument("--games", type=int, default=8, help="at each number of seats")
    parser.add_argument("--bots", default="careful")
    asked = parser.parse_args()
    print("seats  value      gap      max left out rounds    max    hear   solve longest  ratio", flush=True)
    for seats in SEATS:
        print(report(seats, [measure(play) for play in islice(endgames(seats, asked.bots), asked.games)]), flush=True)


if __name__ == "__main__":
    main()
