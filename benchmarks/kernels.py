"""Games a second of the kernels on one core, beside the plain engine and a plain loop in C.

    python -m benchmarks.kernels     part of `make bench`

The C loop is compiled when this runs; without a C compiler its row is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.engine import play_events
from benchmarks.rounds import games_a_second, in_turn
from roundtable.bots.dice import Dice
from roundtable.games import make_setup
from roundtable.lab.engines import kernel

ROUNDS = 9
SLICE = 0.3  # approximate seconds of CPU time for each kind of play in a round
C_LOOP = Path(__file__).with_name("bare_loop.c")
C_GAMES = 3_000_000
TABLES = [("avalon", 5), ("avalon", 10), ("thavalon", 5), ("thavalon", 10), ("saviom", 12)]

Rate = Callable[[], float]  # plays for one slice, and returns games per second of CPU time

FIRST_CALL = """
import time
from roundtable.games import make_setup
from roundtable.lab.engines import kernel
kernel("{game}").run(make_setup("{game}", {seats}), ("random",), 1, 0, 1)
print(time.process_time())
"""


def engine_rate() -> float:
    return games_a_second(partial(play_events, Dice(1)), SLICE)


def kernel_rate(game: str, seats: int, bots: str) -> Rate:
    of, setup = kernel(game), make_setup(game, seats)
    batch = 1_000

    def rate() -> float:
        nonlocal batch
        start = time.process_time()
        of.run(setup, (bots,), 1, 0, batch)
        spent = time.process_time() - start
        speed = batch / spent
        batch = max(1_000, int(speed * SLICE))
        return speed

    rate()  # compile, or read from disk
    rate()
    return rate


def c_rate(program: Path) -> float:
    told = subprocess.run([program, str(C_GAMES), "1"], capture_output=True, text=True, check=True, timeout=60)
    return C_GAMES / float(told.stdout.split()[1])


def compile_c(folder: Path) -> Path | None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / "bare_loop"
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, C_LOOP], check=True, timeout=60)
    return program


def first_call(game: str, seats: int) -> float:
    """CPU seconds from the start of Python to the end of the first game, with the kernel already compiled."""
    source = FIRST_CALL.format(game=game, seats=seats)
    told = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=300)
    return float(told.stdout)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rates: dict[str, Rate] = {"engine, all events, Avalon 5": engine_rate}
        program = compile_c(Path(folder))
        if program is not None:
            limit = program
            rates["plain loop in C, Avalon 5"] = lambda: c_rate(limit)
        for bots in ("random", "careful"):
            for game, seats in TABLES:
                rates[f"kernel, {game} {seats}, {bots}"] = kernel_rate(game, seats, bots)
        report(in_turn(rates, ROUNDS))
    for game, seats in (("avalon", 5), ("thavalon", 10), ("saviom", 12)):
        print(f"{game}: first game {first_call(game, seats):.2f} CPU s after the start of Python, read from disk")


def report(seen: dict[str, list[float]]) -> None:
    engine = median(seen["engine, all events, Avalon 5"])
    print(f"Whole games, one core, CPU time, median of {ROUNDS}")
    print(f"{'':36}{'games/s':>12}{'best':>12}{'of engine':>11}")
    for kind, rates in seen.items():
        print(f"{kind:36}{median(rates):12,.0f}{max(rates):12,.0f}{median(rates) / engine:11,.0f}")


if __name__ == "__main__":
    main()
