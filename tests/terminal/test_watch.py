"""`roundtable watch`: it pauses so that people can read along, and never where a program reads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from roundtable.bots import DEFAULT_BOT, make_bot
from roundtable.cli import watch
from roundtable.core.events import GameEnded, SecretsRevealed
from roundtable.games import GAMES, new_game
from roundtable.terminal import Terminal
from roundtable.terminal.pace import BREATH, END, LONGEST_READ, SPEEDS, Pacer, seconds_after, seconds_before
from roundtable.terminal.watch import Story, heard_while
from roundtable.text.names import names_for
from roundtable.text.teller import teller_of
from support.scenes import SEED
from support.terminal_session import CTRL_C, TerminalSession

INTERRUPTED = 130


class Silent(Terminal):
    """A screen that notes how much was printed."""

    lines = 0

    def say(self, text: str = "", style: str = "") -> None:
        self.lines += 1


def pauses(game: str, pace: str) -> tuple[int, list[float]]:
    """How many parts a story has, and all pauses in it."""
    play = new_game(game, 7, SEED)
    voice, waited = Silent(), list[float]()
    pacer = Pacer(pace, waited.append)
    story = Story(play.game, teller_of(GAMES[game], names_for(7)), voice, pacer)
    for _, event in heard_while(play, {seat: make_bot(DEFAULT_BOT) for seat in range(7)}):
        story.tell(event)
    return voice.lines, waited


@pytest.mark.parametrize("game", GAMES)
def test_a_story_pauses_at_the_chosen_speed(game: str) -> None:
    lines, human = pauses(game, "human")
    assert len(human) >= lines - 1  # after every part but the last
    assert END in human
    assert max(human) <= max(END, BREATH + LONGEST_READ)
    quick, slow = (pauses(game, pace)[1] for pace in ("quick", "slow"))
    assert sum(quick) < sum(human) < sum(slow)
    assert pauses(game, "instant") == (lines, [])


def test_results_and_chapters_have_longer_pauses_than_what_leads_to_them() -> None:
    play = new_game("avalon", 5, SEED)
    teller = teller_of(GAMES["avalon"], names_for(5))
    before: dict[str, float] = {}
    for _, event in heard_while(play, {seat: make_bot(DEFAULT_BOT) for seat in range(5)}):
        before.setdefault(type(event).__name__, seconds_before(event, teller))
    assert before["TeamProposed"] < before["VotesCounted"] < before["LeaderNamed"] < before[GameEnded.__name__]
    assert SecretsRevealed.__name__ in before
    assert seconds_after("short") < seconds_after("a sentence that takes longer to read")


def test_the_command_offers_every_speed() -> None:
    assert set(watch.PACES) == set(SPEEDS)


@pytest.mark.slow
def test_a_person_skips_pauses_with_enter_and_leaves_with_ctrl_c() -> None:
    person = TerminalSession("avalon", "--seats", 5, "--seed", "tea", "--pace", "slow", command="watch")
    person.read_until("Press Enter to skip a pause, Ctrl-C to stop.")
    person.read_until("5 players sit down")
    person.press(b"\n" * 40)
    person.read_until("proposes")
    person.press(CTRL_C)
    person.read_until("Stopped.")
    assert person.leave() == INTERRUPTED
    assert "Traceback" not in person.seen


@pytest.mark.slow
def test_a_pipe_gets_the_whole_story_of_the_best_bots_at_once() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-m", "roundtable", "watch", "avalon", "--seats", "5", "--seed", "tea", *more],
            capture_output=True, text=True, check=True,
        ).stdout
        for more in ([], ["--bots", DEFAULT_BOT, "--pace", "instant"])
    ]  # fmt: skip
    assert told[0] == told[1]
    assert "Press Enter" not in told[0]
    assert "\x1b" not in told[0]
