"""How much the long tests do: the first number in `make test`, the second in `make soak` (ROUNDTABLE_SOAK=1)."""

from __future__ import annotations

import os

IS_SOAK = bool(os.environ.get("ROUNDTABLE_SOAK"))


def size(test: int, *, soak: int, variable: str = "") -> int:
    """`variable` names one in the environment that may ask for another number."""
    return int(os.environ.get(variable, soak if IS_SOAK else test))


KERNEL_GAMES = size(1_000, soak=100_000)  # that the engine replays for each game and number of players
COMPILED_TABLES = size(10, soak=1_000)  # of each game, whose environments in machine code and with the engine agree
POSITIONS = size(60, soak=5_000)  # of each game, from which kernel and engine play on
TWIN_PAIRS = {  # of games that a listener cannot tell apart
    "avalon": size(360, soak=360_000),
    "thavalon": size(400, soak=400_000),
    "saviom": size(240, soak=240_000),
}
SERVED_TWINS = size(1, soak=30)  # games on a server for each game and number of players, each compared with some twins
DEALT_TWINS = size(2, soak=100)  # deals in folders for each game and number of players, each compared with a twin
SIMULATIONS = size(200, soak=10_000)  # games with lost connections and crashing servers
KILLS = size(8, soak=200)  # of a server under people who play
DATABASE_KILLS = size(1, soak=20)  # of PostgreSQL under writers
FAULTY_TABLES = size(6, soak=200, variable="ROUNDTABLE_FAULTY_TABLES")  # at workers that fail
FAULTS = size(10, soak=100, variable="ROUNDTABLE_FAULTS")  # of workers and of PostgreSQL under people who play
CUT_SECONDS = size(0, soak=30)  # that a network stays cut at the least
RESTARTED_ROOMS = size(150, soak=1_000)  # that a server finds when it starts
GENERATED_REQUESTS = size(10, soak=200)  # for each route and for each kind of rubbish
FUZZED_TABLES = size(60, soak=45_000)  # each attacked with 50 messages and requests: an hour in `make soak`
RELAYED_FUZZ = size(4, soak=400)  # tables that are attacked through a relay
FUZZED_STEP = size(10, soak=1)  # of all hostile messages, every so many goes to a live server
CHECKED_SEEDS = size(1, soak=20)  # with which `check_game` goes over each game
HOSTILE_CALLS = size(400, soak=20_000)  # of public functions, of moves and of a table, with rubbish
REFUSED_RECORDS = size(300, soak=10_000)  # that one attack asks for
HUMAN_PARTS = size(2, soak=8)  # eighths of the recorded human games
CAREFUL_GAMES = 1_000  # of careful bots against random ones at each table, in `make soak`
HONEST_TABLES = size(3, soak=50)  # beside which a server is attacked
QUIET_ACTS = size(20, soak=2_000)  # of all honest players before the attack
HOSTILE_SECONDS = size(2, soak=180)  # for which the attack lasts
BELIEF_GAMES = size(3, soak=300)  # of each game in which beliefs are followed event by event
