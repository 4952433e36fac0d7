"""Deals redone from docs/fair-deals.md alone: nothing here asks the engine how it draws."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator
from itertools import combinations, count
from typing import Any

import pytest

from roundtable.core.codec import encode, plain
from roundtable.core.events import SeedSealed
from roundtable.core.play import Play, replay
from roundtable.core.setup import Setup
from roundtable.games import GAMES, codec_of, game_named, open_table
from roundtable.storage import verify_record
from support.paths import TESTS
from support.scenes import SEED

FOLDER = TESTS / "vectors"
VECTORS = json.loads((FOLDER / "deals.json").read_text())
EVERY_SIZE = json.loads((FOLDER / "every_size.json").read_text())  # for those who redo deals elsewhere

AVALON_ORDER = ["Merlin", "Percival", "Assassin", "Morgana", "Mordred", "Oberon"]
GOOD_POOL = {
    "Merlin": 5,
    "Percival": 5,
    "Tristan": 5,
    "Iseult": 5,
    "Lancelot": 5,
    "Nimue": 5,
    "Arthur": 7,
    "Titania": 7,
}
EVIL_POOL = {"Mordred": 5, "Morgana": 5, "Maelagant": 5, "Agravaine": 8, "Colgrevance": 10}
EVIL = {"Assassin", "Morgana", "Mordred", "Oberon", "Minion of Mordred", *EVIL_POOL}
SIDES = {5: (3, 2), 6: (4, 2), 7: (4, 3), 8: (5, 3), 9: (6, 3), 10: (6, 4)}


def mac(key: bytes, text: bytes) -> bytes:
    return hmac.new(key, text, "sha256").digest()


class ByHand:
    """Steps 5 to 8 of the page."""

    def __init__(self, seed: bytes, setup: dict[str, Any], contributions: dict[str, str]) -> None:
        agreed = json.dumps(setup, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        joined = "".join(f"{seat}:{hexed}\n" for seat, hexed in sorted(contributions.items(), key=lambda c: int(c[0])))
        key = mac(seed, b"roundtable/1/key\n" + agreed + b"\n" + joined.encode())
        self.words = self.stream(key)

    @staticmethod
    def stream(key: bytes) -> Iterator[int]:
        for number in count():
            block = mac(key, f"deal/{number}".encode())
            yield from (int.from_bytes(block[place : place + 4], "big") for place in range(0, 32, 4))

    def below(self, bound: int) -> int:
        while (word := next(self.words)) >= 2**32 - 2**32 % bound:
            pass
        return word % bound

    def shuffle(self, items: list[Any]) -> list[Any]:
        for place in range(len(items) - 1, 0, -1):
            other = self.below(place + 1)
            items[place], items[other] = items[other], items[place]
        return items

    def draw(self, items: list[Any], number: int) -> list[Any]:
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(number)]

    def pick(self, items: list[Any]) -> Any:
        return items[self.below(len(items))]


def avalon_by_hand(chance: ByHand, setup: dict[str, Any]) -> dict[str, Any]:
    good, evil = SIDES[setup["seats"]]
    special = [role for role in AVALON_ORDER if role in setup["roles"] or role == "Merlin"]
    if setup["assassin"] == "role":
        special = [role for role in AVALON_ORDER if role in special or role == "Assassin"]
    wicked = sum(role in EVIL for role in special)
    cards = special + ["Loyal Servant"] * (good - len(special) + wicked) + ["Minion of Mordred"] * (evil - wicked)
    roles = chance.shuffle(cards)
    leader = chance.below(setup["seats"])
    able = [seat for seat, role in enumerate(roles) if role in EVIL - {"Oberon"}]
    assassin = roles.index("Assassin") if setup["assassin"] == "role" else chance.pick(able)
    return {"roles": roles, "leader": leader, "assassin": assassin}


def thavalon_by_hand(chance: ByHand, setup: dict[str, Any]) -> dict[str, Any]:
    seats = setup["seats"]
    good, evil = (5, 4) if seats == 9 and setup["nine_evil"] == 4 else SIDES[seats]
    usual = [role for role, least in GOOD_POOL.items() if seats >= least and (role != "Nimue" or seats == 5)]
    usual += [role for role, least in EVIL_POOL.items() if seats >= least]
    pool, wicked = ([role for role in side if role in (setup.get("pool") or usual)] for side in (GOOD_POOL, EVIL_POOL))
    drawn = chance.draw(pool, good)
    lovers = [role for role in drawn if role in ("Tristan", "Iseult")]
    if len(lovers) == 1:
        rest = [role for role in drawn if role not in lovers]
        spare = [role for role in pool if role not in drawn and role not in ("Tristan", "Iseult")]
        if spare and chance.below(2) == 0:
            drawn = [*rest, chance.pick(spare)]
        else:
            rest.remove(chance.pick(rest))
            drawn = [*rest, "Tristan", "Iseult"]
    drawn += chance.draw(wicked, evil)
    roles = chance.shuffle(drawn)
    leader = chance.below(seats)
    return {"roles": roles, "leader": leader, "assassin": chance.pick([s for s, r in enumerate(roles) if r in EVIL])}


def saviom_by_hand(chance: ByHand, setup: dict[str, Any]) -> dict[str, Any]:
    seats = setup["seats"]
    wolves = 2 if seats < 10 else 3
    special = [] if setup["mode"] == "classic" else {6: ["Seer"], 7: ["Protector"]}.get(seats, ["Protector", "Seer"])
    citizens = seats - wolves - len(special)
    return {"roles": chance.shuffle(["Wolf"] * wolves + ["Citizen"] * citizens + special)}


BY_HAND = {"avalon": avalon_by_hand, "thavalon": thavalon_by_hand, "saviom": saviom_by_hand}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_vectors_can_be_redone_without_the_engine(vector: dict[str, Any]) -> None:  # C1
    seed = bytes.fromhex(vector["seed"])
    assert mac(seed, b"roundtable/1/commitment").hex() == vector["commitment"]
    chance = ByHand(seed, vector["setup"], vector["contributions"])
    assert BY_HAND[vector["setup"]["game"]](chance, vector["setup"]) == vector["deal"]


@pytest.mark.parametrize("vector", [*VECTORS, *EVERY_SIZE], ids=lambda vector: vector["name"])
def test_the_engine_deals_as_the_vectors_say(vector: dict[str, Any]) -> None:  # C1
    game = game_named(vector["setup"]["game"])
    setup = codec_of(game).read(Setup, vector["setup"])
    play = Play.open(game, setup, bytes.fromhex(vector["seed"]))
    for seat, entropy in vector["contributions"].items():
        play.contribute(int(seat), bytes.fromhex(entropy))
    play.deal()
    assert play.state.commitment == vector["commitment"]
    assert [play.state.roles[seat] for seat in range(setup.seats)] == vector["deal"]["roles"]
    assert getattr(play.state, "assassin", None) == vector["deal"].get("assassin")
    assert getattr(play.state, "leader", None) == vector["deal"].get("leader")


def test_the_record_among_the_vectors_holds() -> None:  # C1
    verdict = verify_record(FOLDER / "avalon.jsonl")
    assert (verdict.seats, verdict.was_drawn) == (5, True)


def test_there_are_vectors_of_every_size() -> None:  # A1, T1, S1
    sizes = {(vector["setup"]["game"], vector["setup"]["seats"]) for vector in EVERY_SIZE}
    assert sizes == {
        (name, seats)
        for name in GAMES
        for seats in range(GAMES[name].game.setup_type.fewest, GAMES[name].game.setup_type.most + 1)
    }


def test_vectors_cover_every_game_with_and_without_contributions() -> None:  # C1
    kinds = {(vector["setup"]["game"], bool(vector["contributions"])) for vector in VECTORS}
    assert kinds == {(name, has_contributions) for name in BY_HAND for has_contributions in (True, False)}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_a_player_contributes_changes_the_deal(name: str) -> None:  # C1
    deals = set()
    for byte in range(40):
        play = open_table(name, 8, SEED)
        play.contribute(3, bytes([byte]) * 16)
        play.deal()
        deals.add(encode(sorted(play.state.roles.items())))
    assert len(deals) > 10


def test_the_seed_is_heard_by_nobody_before_the_end() -> None:  # C1
    play = open_table("avalon", 5, SEED)
    play.deal()
    for listener in range(-1, 5):
        assert not [line for line in play.heard(listener) if isinstance(line.event, SeedSealed)]
        assert SEED.hex() not in repr(play.heard(listener))
    assert SEED.hex() not in repr(play.events)


@pytest.mark.parametrize("name", BY_HAND)
def test_looking_at_chance_before_the_deal_does_not_undo_contributions(name: str) -> None:  # C1
    play = open_table(name, 8, SEED)
    play.chance("bots").below(6)
    play.contribute(2, bytes(16))
    play.deal()
    assert encode(replay(play.game, play.entries).state.facts()) == encode(play.state.facts())
    untouched = open_table(name, 8, SEED)
    untouched.deal()
    assert encode(play.state.facts()) != encode(untouched.state.facts())


def test_a_drawn_team_follows_from_the_stream_of_its_phase() -> None:  # C1, C5
    play = open_table("thavalon", 5, SEED, propose_seconds=5, first_round="paired")
    play.deal()
    play.expire()
    agreed = json.dumps(plain(play.state.setup), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    block = mac(mac(SEED, b"roundtable/1/key\n" + agreed + b"\n"), b"phase/1/0")
    word = int.from_bytes(block[:4], "big")
    team = [*combinations(range(5), 2)][word % 10]
    assert play.view(0).proposal.team == frozenset(team)
