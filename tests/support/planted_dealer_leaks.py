"""Leaks planted into the dealer on purpose: the twin test of dealt cards must catch every one of them (T25)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roundtable.core.play import Play
from roundtable.dealer import dealing, files, papers
from roundtable.dealer.names import MANIFEST, SPOILER
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.saviom.setup import Role as SaviomRole

Plant = Callable[[pytest.MonkeyPatch], None]
SECRET_ROLES = (*EVIL_ROLES, SaviomRole.WOLF)


class Leak(NamedTuple):
    name: str
    game: str
    plant: Plant


LEAKS: list[Leak] = []


def leak(game: str) -> Callable[[Plant], Plant]:
    """Keep a leak; its name is the function's."""

    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant.__name__, game, plant))
        return plant

    return keep


def evil_names(play: Play[Any, Any], names: Any) -> set[str]:
    return {name for seat, name in enumerate(names) if play.state.roles[seat] in SECRET_ROLES}


def with_papers(patch: pytest.MonkeyPatch, change: Callable[[papers.Papers, set[str]], papers.Papers]) -> None:
    """Change the papers by the names of those who are Evil."""
    real = papers.papers_of

    def papers_of(spec: Any, play: Play[Any, Any], names: Any, lang: str = "en") -> papers.Papers:
        return change(real(spec, play, names, lang), evil_names(play, names))

    patch.setattr(dealing, "papers_of", papers_of)


@leak("avalon")
def a_card_of_evil_is_longer(patch: pytest.MonkeyPatch) -> None:
    with_papers(patch, lambda dealt, evil: {name: text + b"\n" * (name in evil) for name, text in dealt.items()})


@leak("thavalon")
def cards_of_evil_are_written_first(patch: pytest.MonkeyPatch) -> None:
    with_papers(patch, lambda dealt, evil: dict(sorted(dealt.items(), key=lambda paper: paper[0] not in evil)))


@leak("thavalon")
def the_list_of_roles_is_as_long_as_it_happens_to_be(patch: pytest.MonkeyPatch) -> None:
    real = papers.spoiler
    patch.setattr(papers, "spoiler", lambda play, cards, size: real(play, cards, size).rstrip() + b"\n")


@leak("thavalon")
def all_cards_are_as_long_as_the_longest(patch: pytest.MonkeyPatch) -> None:
    def as_long_as_needed(dealt: papers.Papers, evil: set[str]) -> papers.Papers:
        kept = {name: text.rstrip() for name, text in dealt.items()}
        longest = max(map(len, kept.values()))
        return {name: text.ljust(longest) for name, text in kept.items()}

    with_papers(patch, as_long_as_needed)


@leak("avalon")
def the_card_of_morgana_is_older(patch: pytest.MonkeyPatch) -> None:
    after_writing(patch, lambda path, text: os.utime(path, (1, 1)) if b"Morgana" in text[:200] else None)


@leak("avalon")
def everyone_may_read_the_card_of_merlin(patch: pytest.MonkeyPatch) -> None:
    after_writing(patch, lambda path, text: path.chmod(0o644) if b"Merlin" in text else None)


def after_writing(patch: pytest.MonkeyPatch, act: Callable[[Path, bytes], None]) -> None:
    """Do something to a file by what is in it; what the table shares is left alone."""
    real = files.write

    def write(path: Path, text: bytes, at: int) -> None:
        real(path, text, at)
        if path.name[0].isupper() and not path.name.startswith("DoNot"):
            act(path, text)

    patch.setattr(files, "write", write)


@leak("thavalon")
def the_manifest_lists_cards_by_what_they_say(patch: pytest.MonkeyPatch) -> None:
    real = files.write_all

    def write_all(folder: Path, dealt: Mapping[str, bytes], at: int) -> None:
        real(folder, dealt, at)
        manifest = folder / MANIFEST
        order = sorted(dealt, key=dealt.__getitem__)
        manifest.write_text(manifest.read_text() + " " * order.index(next(iter(dealt))))
        os.utime(manifest, (at, at))

    patch.setattr(files, "write_all", write_all)


@leak("avalon")
def what_is_read_out_counts_good_before_the_first_evil(patch: pytest.MonkeyPatch) -> None:
    real = dealing.deal_to

    def deal_to(folder: Path, setup: Any, names: Any, seed: bytes, lang: str = "en") -> dealing.Dealt:
        dealt = real(folder, setup, names, seed, lang)
        spoiler = (folder / SPOILER).read_text()
        first = min(spoiler.find(f"{name} ->") for name in names)
        roles = dealt.roles + "!" * (spoiler.find(str(Role.MORGANA)) - first)
        return dealing.Dealt(folder=dealt.folder, names=dealt.names, commitment=dealt.commitment, roles=roles)

    patch.setattr(dealing, "deal_to", deal_to)
