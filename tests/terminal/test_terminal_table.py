"""What a player at the terminal is told, asked and shown, in chosen situations."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from roundtable.bots import BOTS, RandomBot
from roundtable.bots.playing import time_is_up
from roundtable.core.actions import Move, Say
from roundtable.core.chance import Chance
from roundtable.core.events import Remarked, Said
from roundtable.core.options import OneOf, Options
from roundtable.core.play import Play
from roundtable.games import GAMES, make_setup, new_game
from roundtable.games.quests.roles import Card, Role
from roundtable.games.saviom.actions import Accuse, Hunt, Judge, WithdrawAccusation
from roundtable.games.saviom.setup import Role as TownRole
from roundtable.games.thavalon.actions import DeclareArthur
from roundtable.storage import Recorder, read_record
from roundtable.terminal import Terminal, TerminalTable, names_at_table
from roundtable.terminal.asking import choices_in
from roundtable.terminal.bots import ask_bots_once
from roundtable.terminal.player import help_lines
from roundtable.text.names import Names, names_for
from roundtable.text.teller import teller_of
from support.scenes import SEED, avalon, do, quest, saviom, thavalon
from support.translations import FINISHED

KNIGHTS = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)
SIX = (Role.MERLIN, Role.PERCIVAL, Role.SERVANT, Role.SERVANT, Role.ASSASSIN, Role.MORGANA)
FIVE = (Role.MERLIN, Role.TRISTAN, Role.ISEULT, Role.MAELAGANT, Role.MORGANA)
TEN = (
    Role.MERLIN, Role.PERCIVAL, Role.TRISTAN, Role.ISEULT, Role.ARTHUR, Role.TITANIA,
    Role.MORDRED, Role.MORGANA, Role.AGRAVAINE, Role.COLGREVANCE,
)  # fmt: skip
TOWN = (TownRole.WOLF, TownRole.WOLF, *[TownRole.CITIZEN] * 4)
LETTERS = ("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L")


class Script(Terminal):
    """A voice that types one line after the other, then leaves; it keeps what was printed."""

    def __init__(self, answers: Iterable[str]) -> None:
        super().__init__(colour=False)
        self.answers = list(answers)
        self.said = ""

    def say(self, text: str = "", style: str = "") -> None:
        self.said += text + "\n"

    def ask(self, prompt: str, warn: bool = True) -> str:
        self.said += prompt + "\n"
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)


class Sleeper:
    """A bot that does nothing."""

    def choose(self, view: Any, options: Options, chance: Chance) -> Move | None:
        return None


def sit(play: Play[Any, Any], seat: int, folder: Path, *answers: str, lang: str = "en") -> str:
    """Everything that is printed for a player at this seat who types these lines."""
    seats = play.state.setup.seats
    names = names_at_table(seat, "Robin", LETTERS, seats, "sleepy")
    voice = Script(answers)
    with Recorder(folder / "game.jsonl", play, names) as recorder:
        sleepers = {other: Sleeper() for other in range(seats) if other != seat}
        table = TerminalTable(play, names, sleepers, recorder, voice, lang)
        try:
            table.run()
        except (EOFError, KeyboardInterrupt):
            assert not voice.answers
    return voice.said


def with_excalibur() -> Play[Any, Any]:
    play = avalon(SIX, excalibur="both")
    quest(play, [0, 4], {4: Card.FAIL}, excalibur=4)
    return play


def test_a_person_is_asked_and_told_in_their_language(tmp_path: Path) -> None:
    play = avalon(SIX, excalibur="both", choose_quests=True)
    typed = ("r", "", "say", "7", "1", "1 9", "1", "1 2", "1", "1", "1, a", "2", "x")
    said = sit(play, 0, tmp_path, *typed, lang="vi")
    for line in (
        "Bạn là Robin, ngồi chỗ 1.",
        "Phe Xanh (4): Merlin, Percival, 2 × Bề Tôi Trung Thành.",
        "Nhiệm vụ nào? 1 (2 người), 2 (3 người)",
        "Bạn là Merlin [Phe Xanh].\nBạn thấy D và E là Phe Đỏ.",
        "Một tin nhắn có từ 1 đến 500 ký tự",
        "Bạn không chọn cái này được",
        "Chọn 2 người (1 Robin, 2 A, 3 B, 4 C, 5 D, 6 E). Gõ 2 số chỗ ngồi, ví dụ 1 3:",
        "Không có chỗ hay người chơi nào là 9; các chỗ được đánh số từ 1 đến 6.",
        "để một người trong số đó giữ, không phải Robin.",
        "Robin đề cử Robin và A cho nhiệm vụ 1; A giữ Excalibur.",
        "Bạn có đồng ý với đội này không?\n  1  Đồng ý\n  2  Từ chối\nLựa chọn của bạn:",
        "Hãy gõ một số từ 1 đến 2",
    ):
        assert line in said


def test_a_phase_is_never_told_in_the_words_of_the_protocol(tmp_path: Path) -> None:
    said = sit(avalon(KNIGHTS), 0, tmp_path, "1 2", "1", "h")
    assert not any(word in said.casefold() for word in ("awaited", "phase", "audience"))


@pytest.mark.parametrize(
    ("play", "seat", "typed", "echo"),
    [
        (avalon(KNIGHTS), 0, ("1 2", "1"), "Robin votes"),
        (saviom((*TOWN[:2], TownRole.CITIZEN, TownRole.SEER, *TOWN[4:]), mode="advanced", begins_with="night"),
         3, ("1", ""), "Robin inspects"),
        (saviom(TOWN, begins_with="night"), 3, ("1", ""), "Robin suspects"),
    ],
    ids=["vote", "inspection", "suspicion"],
)  # fmt: skip
def test_what_a_person_has_just_typed_is_not_told_to_them_again(
    play: Play[Any, Any], seat: int, typed: tuple[str, ...], echo: str, tmp_path: Path
) -> None:
    assert echo not in sit(play, seat, tmp_path, *typed)


def test_a_menu_that_has_changed_is_shown_again(tmp_path: Path) -> None:  # S6
    said = sit(saviom(TOWN), 0, tmp_path, "1", "2", "6")
    assert said.count("  6  Withdraw your accusation") == 1
    assert "Robin withdraws the accusation." in said


def at_two_failures() -> Play[Any, Any]:
    play = thavalon(TEN, leader=2)
    quest(play, [6, 7, 0], {6: Card.FAIL})
    quest(play, [6, 7, 0, 1], {6: Card.FAIL})
    return play


def test_a_declaration_that_answers_several_phases_is_one_line_of_the_menu() -> None:  # T16, C5
    several = OneOf(actions=tuple(DeclareArthur(phase=number) for number in (4, 5, 6)))
    assert choices_in(several) == (DeclareArthur(phase=6),)


def test_a_leader_who_may_declare_chooses_what_to_do(tmp_path: Path) -> None:  # T16
    said = sit(at_two_failures(), 4, tmp_path, "2", "1 2 3 4")
    menu = "What do you do?\n  1  Propose a team\n  2  Declare: I am Arthur\nYour choice:\n"
    assert f"{menu}Robin declares: “I am Arthur!”\nPick 4 players (1 A, 2 B, 3 C, 4 D, 6 E" in said
    assert "Robin proposes A, B, C and D for mission 3." in said


@pytest.mark.parametrize(
    ("play", "seat", "may_wait"),
    [
        (avalon(KNIGHTS), 0, False),
        (at_two_failures(), 4, False),
        (at_two_failures(), 5, True),  # another seat leads
        (saviom(TOWN), 0, True),  # the day lasts until its time is up
        (saviom(TOWN, begins_with="night"), 0, True),
    ],
    ids=["leader", "Arthur leads", "others", "day", "night"],
)
def test_a_person_may_do_nothing_where_the_game_goes_on_without_them(
    play: Play[Any, Any], seat: int, may_wait: bool
) -> None:  # C5
    assert play.game.may_wait(play.view(seat), seat) is may_wait


def test_who_turns_a_card_with_excalibur_learns_what_it_was(tmp_path: Path) -> None:  # A25
    said = sit(with_excalibur(), 4, tmp_path, "1", "r", "")
    assert "Excalibur showed Robin that A’s card was Success." in said
    assert "Excalibur showed you that A’s card on quest 1 was Success." in said


def at_the_dagger(game: str) -> Play[Any, Any]:
    play = avalon(KNIGHTS) if game == "avalon" else thavalon(FIVE, assassin=3)
    for team in ([0, 1], [0, 1, 2], [0, 1]):
        quest(play, team)
    assert play.phase.name == "assassination"
    return play


@pytest.mark.parametrize(
    ("game", "line"),
    [("avalon", "Assassinate D"), ("thavalon", "D is Merlin"), ("thavalon", "B and D are the Lovers")],
)
@pytest.mark.parametrize(("answer", "is_sent"), [("yes", True), ("no", False), ("", False), ("1", False)])
def test_the_assassin_is_asked_before_a_shot_at_a_fellow_is_sent(
    game: str, line: str, answer: str, is_sent: bool, tmp_path: Path
) -> None:  # A21
    play = at_the_dagger(game)
    teller = teller_of(GAMES[game], Names("ABCRD"))
    moves = [teller.move(move) for option in play.options(3) for move in option]
    said = sit(play, 3, tmp_path, str(moves.index(line) + 1), answer)
    assert "D is Evil like you, so this would miss.\nType yes to do it anyway:" in said
    assert play.is_over is is_sent


def test_a_shot_at_anybody_else_is_sent_at_once(tmp_path: Path) -> None:  # A21
    play = at_the_dagger("avalon")
    said = sit(play, 3, tmp_path, "1")
    assert play.is_over
    assert "would miss" not in said


def test_say_reaches_the_table_and_whisper_only_ones_own(tmp_path: Path) -> None:  # A21
    play = at_the_dagger("avalon")
    said = sit(play, 3, tmp_path, "say hello all", "whisper it is A")
    lines = [event for event in play.events if isinstance(event, Said)]
    assert [(line.channel, line.text) for line in lines] == [("table", "hello all"), ("evil", "it is A")]
    assert "\nRobin: hello all\n" in said
    assert "\nRobin (to Evil): it is A\n" in said


def test_a_wolf_who_speaks_up_at_night_is_told_how_to_whisper(tmp_path: Path) -> None:  # S8
    play = saviom(TOWN, begins_with="night")
    said = sit(play, 0, tmp_path, "say hello", "whisper hello")
    assert "To talk to the Wolves, use whisper." in said
    assert [event.channel for event in play.events if isinstance(event, Said)] == ["wolves"]


def test_a_citizen_has_nobody_to_whisper_to(tmp_path: Path) -> None:  # S8
    play = saviom(TOWN, begins_with="night")
    assert "no one to whisper to" in sit(play, 3, tmp_path, "whisper hello")
    assert not [event for event in play.events if isinstance(event, Said)]


def test_what_is_said_is_in_the_record_before_the_next_question(tmp_path: Path) -> None:  # C3
    class Listener(Script):
        def ask(self, prompt: str, warn: bool = True) -> str:
            entries = read_record(tmp_path / "game.jsonl").entries
            assert list(entries) == play.entries
            return super().ask(prompt)

    play = new_game("avalon", 5, SEED)
    names = names_at_table(0, "Robin", LETTERS, 5, "random")
    voice = Listener(["say hello", "1", "1", "1"])
    with Recorder(tmp_path / "game.jsonl", play, names) as recorder, pytest.raises(EOFError):
        TerminalTable(play, names, {seat: RandomBot() for seat in range(1, 5)}, recorder, voice).run()


@pytest.mark.parametrize(
    ("game", "seats", "options", "lines"),
    [
        (
            "avalon", 7, {},
            [
                "Good (4): Merlin, Percival, 2 × Loyal Servant.",
                "Evil (3): Assassin, Morgana, Oberon.",
                "Team sizes for quests 1 to 5: 2, 3, 3, 4, 4. Quest 4 needs two Fails to fail.",
            ],
        ),
        (
            "avalon", 7, {"two_fails_from": "8", "assassin": "duty", "roles": "none"},
            [
                "Good (4): Merlin, 3 × Loyal Servant.",
                "Evil (3): 3 × Minion of Mordred.",
                "One Evil player holds the dagger, whatever their role.",
                "Team sizes for quests 1 to 5: 2, 3, 3, 4, 4.",
            ],
        ),
        (
            "thavalon", 5, {},
            [
                "Good (3), drawn from: Merlin, Percival, Tristan, Iseult, Lancelot, Nimue.",
                "Evil (2), drawn from: Mordred, Morgana, Maelagant.",
                "Team sizes for missions 1 to 5: 2, 3, 2, 3, 3.",
            ],
        ),
        ("saviom", 10, {"mode": "advanced"}, ["Wolves (3): 3 × Wolf.", "Citizens (7): 5 × Citizen, Protector, Seer."]),
    ],
)  # fmt: skip
def test_what_lies_open_on_the_table(
    game: str, seats: int, options: dict[str, str], lines: list[str]
) -> None:  # A3, A10, A19, S4, T2
    teller = teller_of(GAMES[game], names_for(seats))
    assert teller.board(make_setup(game, seats, options)).splitlines() == lines


@pytest.mark.parametrize("game", ["avalon", "thavalon", "saviom"])
@pytest.mark.parametrize("answers", [(), ("h",)])
def test_the_table_is_laid_open_at_the_start_and_when_looking_back(
    game: str, answers: tuple[str, ...], tmp_path: Path
) -> None:  # A10, S4
    play = new_game(game, 7, SEED)
    seat = next(iter(play.phase.awaited))
    said = sit(play, seat, tmp_path, *answers)
    assert said.count(teller_of(GAMES[game], names_for(7)).board(play.state.setup)) == 1 + len(answers)


def test_a_quest_that_a_reverse_failed_is_remembered_with_it(tmp_path: Path) -> None:  # T18
    play = thavalon(FIVE)
    quest(play, [0, 3], {3: Card.REVERSE})
    said = sit(play, 1, tmp_path, "h")
    assert "Mission 1 failed with A and C: 1 × Success, 1 × Reverse." in said


def test_the_days_and_nights_of_a_town_are_remembered(tmp_path: Path) -> None:  # S6, S7, S11
    play = saviom((TownRole.WOLF, TownRole.WOLF, *[TownRole.CITIZEN] * 6))
    do(play, 2, Accuse, target=5)
    do(play, 5, Accuse, target=2)
    do(play, 5, WithdrawAccusation)
    play.expire()  # one accusation of eight: no trial
    do(play, 0, Hunt, target=7)
    play.expire()
    for seat in (2, 3, 4, 5):
        do(play, seat, Accuse, target=0)
    do(play, 0, Accuse, target=6)
    play.expire()
    do(play, 1, Judge, eliminate=False)
    do(play, 2, Judge, eliminate=True)
    play.expire()
    play.expire()
    do(play, 3, Accuse, target=1)
    heard = [line.event for line in play.heard(4)]
    told = teller_of(GAMES["saviom"], names_for(8)).history(play.view(4), heard)
    assert told.splitlines() == [
        "Day 1",
        "  Charlie accuses Frank.",
        "Night 1",
        "  Heidi was killed in the night.",
        "Day 2",
        "  Alice accuses Grace.",
        "  Charlie accuses Alice.",
        "  Dave accuses Alice.",
        "  Eve accuses Alice.",
        "  Frank accuses Alice.",
        "  Alice goes on trial.",
        "  Alice is spared. Eliminate: Charlie. Spare: Bob.",
        "Night 2",
        "  No one was killed in the night.",
        "Day 3",
        "  Dave accuses Bob.",
        "Alive: Alice, Bob, Charlie, Dave, Eve, Frank and Grace.",
        "Dead: Heidi.",
    ]
    assert "Day 3\n  D accuses B.\n" in sit(play, 4, tmp_path, "h")


def test_a_number_of_very_many_digits_is_no_answer(tmp_path: Path) -> None:
    digits = "1" * 5000
    play = avalon(KNIGHTS, choose_quests=True)
    said = sit(play, 0, tmp_path, digits, "1", digits, "1", "1 " + digits, "q")
    assert said.count("You can’t choose that one") == 1
    assert said.count("There is no seat or player 1111") == 2
    (tmp_path / "vote").mkdir()
    play = avalon(KNIGHTS)
    do(play, 0, type(next(iter(play.options(0)[0]))), team=frozenset((0, 1)))
    assert "Type a number from 1 to 2" in sit(play, 0, tmp_path / "vote", digits)


def test_the_help_fits_on_a_narrow_screen() -> None:
    for lang in FINISHED:
        teller = teller_of(GAMES["avalon"], names_for(5), lang)
        assert max(map(len, [*help_lines(teller, True), *help_lines(teller, False)])) < 80


@pytest.mark.parametrize("kind", ["random", "careful"])
@pytest.mark.parametrize("game", ["avalon", "thavalon", "saviom"])
def test_bots_move_once_in_a_phase_however_often_a_game_is_taken_up(game: str, kind: str) -> None:  # C3
    bots = {seat: BOTS[kind]() for seat in range(1, 8)}
    play = new_game(game, 8, SEED)
    while not play.is_over and play.phase.number < 12:
        start, phase = len(play.entries), play.phase.number
        ask_bots_once(play, bots)
        for left_at in range(start, len(play.entries) + 1):
            back = Play(play.game, play.entries[:left_at])
            for _ in range(3):
                if back.phase.number == phase and not back.is_over:
                    ask_bots_once(back, bots)
            assert back.entries == play.entries
        if play.phase.number == phase and not play.is_over:
            answer_or_wait(play)


def answer_or_wait(play: Play[Any, Any]) -> None:
    """Seat 0 does the first thing that is open to it, and time is up for a phase that goes on all the same."""
    phase = play.phase.number
    for option in play.options(0)[:1]:
        play.act(0, next(iter(option)))
    if play.phase.number == phase and not play.is_over:
        time_is_up(play)


def test_bots_are_not_asked_again_when_the_person_has_spoken_or_moved() -> None:  # C3
    bots = {seat: RandomBot() for seat in range(1, 8)}
    play = new_game("saviom", 8, SEED)
    play.act(0, Say(channel="table", text="Hm."))
    ask_bots_once(play, bots)
    assert len(play.entries) == 3


def test_bots_of_another_kind_do_not_move_for_those_who_sat_there_before() -> None:  # C3
    play = new_game("saviom", 8, SEED)
    do(play, 5, Accuse, target=0)
    ask_bots_once(play, {seat: RandomBot() for seat in range(1, 8)})
    assert [entry.actor for entry in play.entries].count(5) == 1
    assert {entry.actor for entry in play.entries} >= set(range(1, 8))


def test_the_end_tells_what_was_hidden(tmp_path: Path) -> None:  # A22
    said = sit(at_the_dagger("avalon"), 3, tmp_path, "1")
    assert "Everything is revealed." in said
    assert "Played on quest 1: A (Success), B (Success)." in said


def test_the_end_says_who_won_and_what_that_means_for_you(tmp_path: Path) -> None:
    (tmp_path / "lost").mkdir()
    won = sit(at_the_dagger("avalon"), 3, tmp_path, "1")  # seat 1 is Merlin
    lost = sit(at_the_dagger("avalon"), 3, tmp_path / "lost", "2")
    assert "Evil wins! Merlin was assassinated. Well played, Robin and D!\nYou won, Robin. Congratulations!\n" in won
    assert "Well played, A, B and C!\nYou lost this time, Robin.\n" in lost
    (tmp_path / "vi").mkdir()
    assert "Robin ơi, bạn đã thắng. Chúc mừng!" in sit(at_the_dagger("avalon"), 3, tmp_path / "vi", "1", lang="vi")


def test_a_team_is_typed_as_the_example_shows_and_seats_count_from_1(tmp_path: Path) -> None:
    said = sit(avalon(KNIGHTS), 0, tmp_path, "0 1", "5 6", "1 1", "1 3")
    assert "Pick 2 players (1 Robin, 2 A, 3 B, 4 C, 5 D). Type 2 seats, such as 1 3:\n" in said
    assert "There is no seat or player 0; seats go from 1 to 5.\n" in said
    assert "There is no seat or player 6; seats go from 1 to 5.\n" in said
    assert "Pick 2 different players from the list, such as 1 3.\n" in said
    assert "Robin proposes Robin and B for quest 1." in said


def test_a_person_claims_out_of_the_phrase_book(tmp_path: Path) -> None:
    play = avalon(KNIGHTS)
    servant = str(sorted(play.game.words).index("Loyal Servant") + 1)
    said = sit(play, 0, tmp_path, "claim", "1", servant, "claim", "3", "2", "claim", "99", "claim", "3", "1 2")
    claims = [(event.phrase, event.about, event.word) for event in play.events if isinstance(event, Remarked)]
    assert claims == [("i_am", None, "Loyal Servant"), ("i_trust", 1, None)]
    assert "  1  I’m ….\n" in said
    assert "\nRobin: I’m a Loyal Servant.\n" in said
    assert "\nRobin: I trust A.\n" in said
    assert "Type a number from 1 to" in said
    assert "Pick 1 player from the list" in said


def test_a_table_where_no_one_claims_offers_no_claims(tmp_path: Path) -> None:  # A10
    said = sit(avalon(KNIGHTS, identity_claims="forbidden"), 0, tmp_path, "claim")
    assert "I trust …." in said
    assert "I’m ….\n" not in said
