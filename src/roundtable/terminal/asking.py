"""What a person is asked, and what their answer means."""

from __future__ import annotations

from collections.abc import Sequence

from roundtable.core.actions import Move
from roundtable.core.options import Options
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import ProposeTeam
from roundtable.games.quests.options import TeamChoice
from roundtable.story import Names
from roundtable.story.moves import phrase, seats_in
from roundtable.terminal.voice import Voice

# Phases that end without an answer from everybody: to wait is a choice there.
MAY_WAIT = frozenset(("day", "defense", "night", "stand", "reckoning"))

NO_NUMBER = -1
LONGEST_NUMBER = 4  # digits
LONGEST_SHOWN = 40


class Aside(Exception):
    """Something typed that is no answer: a wish to see, to talk or to leave."""

    def __init__(self, wish: str) -> None:
        super().__init__(wish)
        self.wish = wish


QUESTIONS = {
    "propose": "Do you want to declare?",
    "vote": "Do you approve of this team?",
    "quest": "Which card do you play?",
    "excalibur": "Will you turn a card?",
    "lady": "Whom do you examine?",
    "assassination": "Whom do you assassinate?",
    "stand": "Is there anything to declare?",
    "reckoning": "Is there anything to declare?",
    "day": "Whom do you accuse?",
    "defense": "What is your verdict?",
    "night": "It is night. What do you do?",
}


def ask_for_move(voice: Voice, options: Options, phase: str, names: Names, again: bool = False) -> Move | None:
    """One of the options, or None to wait. Raises `Aside` for anything that is no answer.

    Whoever is asked `again` has acted in this phase: the list is not shown a second time, and Enter goes on.
    """
    team = next((option for option in options if isinstance(option, TeamChoice)), None)
    moves = [move for option in options if option is not team for move in option]
    lines = [phrase(move, names) for move in moves]
    if team:
        return ask_for_team(voice, team, moves, lines, names)
    can_wait = phase in MAY_WAIT or all(type(move).__name__.startswith("Declare") for move in moves)
    if again:
        return choose(voice, moves, can_wait, "Enter goes on; or choose again:")
    voice.say(QUESTIONS[phase], "bold")
    for number, line in enumerate(lines, 1):
        voice.say(f"  {number}  {line}")
    if can_wait:
        voice.say("  0  nothing (or Enter)")
    return choose(voice, moves, can_wait, "Your choice:")


def choose(voice: Voice, moves: Sequence[Move], can_wait: bool, prompt: str) -> Move | None:
    answer = answered(voice, prompt)
    if can_wait and answer in ("", "0"):
        return None
    if 1 <= (number := whole_number(answer)) <= len(moves):
        return moves[number - 1]
    raise Aside(f"Type a number from {0 if can_wait else 1} to {len(moves)}, or ? for help.")


def ask_for_team(voice: Voice, team: TeamChoice, moves: Sequence[Move], lines: Sequence[str], names: Names) -> Move:
    """Which quest, who goes, who carries Excalibur; a declaration can be typed instead."""
    for line in lines:
        voice.say(f"  (or type: {line})")
    quest, size = team.sizes[0]
    if len(team.sizes) > 1 or quest is not None:
        offered = ", ".join(f"{number} ({needed} seats)" for number, needed in team.sizes)
        quest = whole_number(answered(voice, f"Which quest? {offered}:"))
        sizes = dict(team.sizes)
        if quest not in sizes:
            raise Aside(f"That quest is not open; choose {offered}.")
        size = sizes[quest]
    who = ", ".join(f"{seat} {names[seat]}" for seat in team.eligible)
    answer = answered(voice, f"Name {size} of: {who}:")
    if answer in lines:
        return moves[lines.index(answer)]
    seats = frozenset(seats_named(answer, names))
    holder = None
    if team.excalibur_not is not None:
        holder = next(iter(seats_named(answered(voice, "Who carries Excalibur?"), names)), None)
    proposal = ProposeTeam(phase=team.phase, team=seats, quest=quest, excalibur=holder)
    if proposal not in team:
        raise Aside(f"That team cannot go. {team.invitation()}")
    return proposal


def seats_named(answer: str, names: Names) -> list[int]:
    """Seats by number or by name, with blanks or commas between them."""
    by_name = {name.casefold(): seat for seat, name in enumerate(names)}
    seats = []
    for word in answer.replace(",", " ").split():
        seat = whole_number(word) if word.isdecimal() else by_name.get(word.casefold(), NO_NUMBER)
        if not 0 <= seat < len(names):
            raise Aside(f"Nobody here is called {word[:LONGEST_SHOWN]}.")
        seats.append(seat)
    return seats


def whole_number(answer: str) -> int:
    """The number that was typed, or NO_NUMBER; nobody means one of many digits."""
    return int(answer) if answer.isdecimal() and len(answer) <= LONGEST_NUMBER else NO_NUMBER


def is_meant(voice: Voice, move: Move, phase: str, evil: Sequence[Seat] | None, names: Names) -> bool:
    """A21: to aim at a fellow is allowed and cannot hit, so the Assassin is asked before it is sent."""
    fellows = set(seats_in(move)) & set(evil or ())
    if phase != "assassination" or not fellows:
        return True
    voice.say(f"{names.list(fellows)} {'is' if len(fellows) == 1 else 'are'} Evil like you: that cannot hit.", "red")
    return answered(voice, "Type yes to do it all the same:").casefold() in ("y", "yes")


def answered(voice: Voice, prompt: str) -> str:
    """A line; the words for looking, talking and leaving are not answers."""
    line = voice.ask(prompt)
    if line.split(" ", 1)[0].casefold() in ("?", "help", "r", "role", "h", "history", "say", "whisper", "q", "quit"):
        raise Aside(line)
    return line
