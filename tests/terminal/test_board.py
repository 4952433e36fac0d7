"""The table as a picture: what it shows, in signs and in plain letters, on any width of screen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from roundtable.bots import make_bot
from roundtable.core.game import evolve, fold
from roundtable.core.play import Play
from roundtable.core.seats import SPECTATOR
from roundtable.games import GAMES, new_game
from roundtable.games.quests.actions import CastVote
from roundtable.games.quests.roles import Card, Role
from roundtable.games.saviom.actions import Accuse, Hunt
from roundtable.games.saviom.setup import Role as TownRole
from roundtable.terminal.board import Board, can_print_signs, shortened, width_of
from roundtable.terminal.voice import Terminal
from roundtable.terminal.watch import heard_while
from roundtable.text.names import Names, names_for
from roundtable.text.teller import teller_of
from support.scenes import SEED, avalon, do, propose, quest, saviom
from support.terminal_session import TerminalSession
from support.translations import FINISHED

KNIGHTS = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)


def plain(text: str, style: str) -> str:
    return text


def draw(play: Play[Any, Any], seat: int, columns: int = 80, has_signs: bool = True, lang: str = "en") -> str:
    seats = play.state.setup.seats
    teller = teller_of(GAMES[play.game.name], names_for(seats), lang)
    return Board(columns, has_signs, plain).draw(teller.picture(play.view(seat), seat), teller.names)


def test_a_vote_shows_the_leader_the_team_and_who_has_voted() -> None:
    play = avalon(KNIGHTS)
    quest(play, [0, 1], {1: Card.SUCCESS})
    propose(play, [1, 2, 3])
    do(play, 4, CastVote, approve=False)
    assert draw(play, 0).splitlines() == [
        "                          ♛ ⚑                ⚑",
        "     [1 Alice]           2 Bob           3 Charlie",
        " ╭────────────────────────────────────────────────────╮",
        " │               ✔   [3]   2    3    3                │",
        " │                 Quest 2: team of 3                 │",
        " │                  Proposal 1 of 5                   │",
        " ╰────────────────────────────────────────────────────╯",
        "                5 Eve             4 Dave",
        "                  •                 ⚑",
        " ♛ Leader   ⚑ On the team   • Has voted",
    ]


def test_counted_votes_stay_until_the_next_proposal() -> None:
    play = avalon(KNIGHTS)
    propose(play, [0, 1])
    for seat in range(5):
        do(play, seat, CastVote, approve=seat != 3)
    drawn = draw(play, 2, has_signs=False)
    assert re.search(r"L T \+ +T \+ +\+\n +1 Alice +2 Bob +\[3 Charlie\]", drawn)
    assert re.search(r"5 Eve +4 Dave\n +\+ +-", drawn)
    assert drawn.endswith("L Leader   T On the team   + Approved   - Rejected")


def test_a_town_shows_who_lives_who_is_accused_and_what_became_of_the_dead() -> None:
    play = saviom((TownRole.WOLF, TownRole.WOLF, *[TownRole.CITIZEN] * 6), begins_with="night")
    do(play, 0, Hunt, target=7)
    do(play, 1, Hunt, target=7)
    play.expire()
    do(play, 2, Accuse, target=0)
    drawn = draw(play, 3)
    assert "7 alive" in drawn
    assert "→ Alice" in drawn
    assert "† Out of the game" in drawn
    assert draw(play, 3, has_signs=False).isascii()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", FINISHED)
@pytest.mark.parametrize("columns", [12, 40, 80, 100])
def test_no_picture_is_wider_than_the_screen_and_none_tells_a_role_before_the_end(
    game: str, lang: str, columns: int
) -> None:  # C4
    seats = 10
    play = new_game(game, seats, SEED)
    teller = teller_of(GAMES[game], names_for(seats), lang)
    roles = {teller.word(role) for _, _, many in play.state.setup.casting() for role in many}
    board, view, drawn = Board(columns, True, plain), None, ""
    for _, event in heard_while(play, {seat: make_bot("random") for seat in range(seats)}):
        view = fold(play.game, [event]) if view is None else evolve(play.game, view, [event])
        if teller.changes_picture(event):
            drawn = board.draw(teller.picture(view, SPECTATOR), teller.names)
            if columns >= 40:
                assert max(map(width_of, drawn.splitlines())) <= columns
            if view.outcome is None and game != "saviom":  # whose deaths tell roles (S11)
                assert not any(f" {role} " in f" {drawn} " for role in roles)
    assert columns < 80 or any(role[:8] in drawn for role in roles)


@pytest.mark.parametrize("seat", range(5))
def test_the_picture_of_a_running_game_is_the_same_for_all_but_for_ones_own_seat(seat: int) -> None:  # C4
    play = avalon(KNIGHTS)
    propose(play, [0, 1])
    do(play, 3, CastVote, approve=True)
    teller = teller_of(GAMES["avalon"], names_for(5))
    assert teller.picture(play.view(seat), 0) == teller.picture(play.view(SPECTATOR), 0)


def test_wide_letters_and_long_names_keep_the_columns() -> None:
    play = avalon(KNIGHTS)
    teller = teller_of(GAMES["avalon"], Names(("王" * 12, "Nguyễn", "x" * 40, "D", "E")))
    drawn = Board(80, True, plain).draw(teller.picture(play.view(0), 0), teller.names)
    assert len({width_of(line) for line in drawn.splitlines() if "│" in line}) == 1
    assert max(map(width_of, drawn.splitlines())) <= 80
    assert shortened("王王王", 5) == "王王."


@pytest.mark.parametrize(
    ("encoding", "has_signs"), [("utf-8", True), ("ascii", False), ("latin-1", False), (None, False)]
)
def test_a_terminal_that_lacks_a_sign_gets_letters(encoding: str | None, has_signs: bool) -> None:
    assert can_print_signs(encoding) is has_signs


def test_colour_is_never_the_only_sign() -> None:
    play = avalon(KNIGHTS)
    propose(play, [0, 1])
    teller = teller_of(GAMES["avalon"], names_for(5))
    picture = teller.picture(play.view(0), 0)
    coloured = Board(80, True, Terminal(colour=True).paint).draw(picture, teller.names)
    assert "\x1b[33m♛\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d*m", "", coloured).split() == draw(play, 0).split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("term", "colour", "encoding", "sign"),
    [("xterm", True, "utf-8", "\x1b[33m♛"), ("xterm", False, "utf-8", "♛"), ("dumb", True, "ascii", " L Leader")],
)
def test_a_person_sees_the_board_with_every_question(
    term: str, colour: bool, encoding: str, sign: str, tmp_path: Any
) -> None:
    person = TerminalSession(
        "avalon", "--seat", 3, "--seed", "b", "--bots", "random", "--record", tmp_path / "game.jsonl",
        term=term, colour=colour, environment={"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    first = person.read()
    assert sign in first
    assert ("\x1b" in first) == (colour and term != "dumb")
    assert sign in person.type("b")
    person.interrupt()
    assert person.leave() == 0
