"""The twin test of dealt cards: all that a player can learn from the folder, in two deals that they cannot tell apart.

The deals are drawn from seeds, as the dealer draws them; the folder is one on the disk.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.play import Play
from roundtable.core.seats import Seat
from roundtable.core.setup import Setup
from roundtable.dealer import dealing
from roundtable.dealer.names import MANIFEST, START
from roundtable.games import GAMES
from roundtable.testing.check import secrecy_of

NAMES = ("Ann", "Bảo", "Chloé", "Đức", "Eve", "Frank", "Grace", "Hà", "Ivan", "Judy", "Kim", "Lê")
AT = 1_700_000_000  # when all is dealt
SEEDS = 60  # among which twins are looked for


def twin_seeds(setup: Setup, listener: Seat, chance: Dice) -> tuple[bytes, bytes] | None:
    """Two seeds whose deals this player cannot tell apart, and that are not the same."""
    game, secrecy = GAMES[setup.game].game, secrecy_of(setup.game)
    drawn: dict[Hashable, tuple[bytes, Any]] = {}
    for _ in range(SEEDS):
        seed = chance.randbytes(32)
        deal = game.deal(setup, Play.open(game, setup, seed).chance("deal"))
        known = (secrecy.known(setup, deal, listener), secrecy.known(setup, deal, -1))
        first, other = drawn.setdefault(known, (seed, deal))
        if other != deal:
            return first, seed
    return None


def dealt_folder(folder: Path, setup: Setup, listener: Seat, seed: bytes, lang: str) -> list[object]:
    """Everything about the folder that this player can see, and what is read out; the commitment apart (C1)."""
    names = NAMES[: setup.seats]
    with written_files() as order:
        dealt = dealing.deal_to(folder, setup, names, seed, lang)
    seen: list[object] = [dealing.report_of(dealt, Path("game"), lang).replace(dealt.commitment, "...")]
    seen += [name for name in order if name in os.listdir(folder)]
    for file in sorted(folder.iterdir()):
        about = file.stat()
        seen.append((file.name, about.st_size, about.st_mtime_ns, about.st_mode, about.st_nlink))
    return [*seen, *((folder / name).read_bytes() for name in (names[listener], START, MANIFEST))]


@contextmanager
def written_files() -> Iterator[list[str]]:
    """The names of files in the order in which they are written. The disk need not keep them, and the clock stands."""
    order: list[str] = []
    real = os.open

    def note(path: Any, *rest: Any, **more: Any) -> int:
        order.append(Path(path).name)
        return real(path, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", note)
        patch.setattr(os, "fsync", lambda handle: None)
        patch.setattr("roundtable.dealer.files.time.time", lambda: AT)
        yield order


class DealsCompared(NamedTuple):
    pairs: int
    leak: str | None = None


def compare_deals(folder: Path, setup: Setup, chance: Dice) -> DealsCompared:
    """Compare two deals for some player, if twins are found."""
    listener = chance.below(setup.seats)
    seeds = twin_seeds(setup, listener, chance)
    if seeds is None:
        return DealsCompared(0)
    lang = ("en", "vi")[chance.below(2)]
    one, other = (dealt_folder(folder, setup, listener, seed, lang) for seed in seeds)
    differences = [f"{before!r} and {after!r}" for before, after in zip(one, other, strict=False) if before != after]
    if len(one) != len(other):
        differences.append(f"{len(one)} things and {len(other)}")
    return DealsCompared(1, f"{NAMES[listener]} sees {differences[0]}" if differences else None)
