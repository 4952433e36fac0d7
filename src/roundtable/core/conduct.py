"""What members do besides playing: talk, countdowns, pauses and calling the game off (S5, C6, C7)."""

from __future__ import annotations

import unicodedata
from typing import Any, NoReturn

from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action
from roundtable.core.errors import IllegalAction
from roundtable.core.game import Transition
from roundtable.core.names import has_too_many_marks, is_unprintable
from roundtable.core.options import name_of
from roundtable.core.seats import EVERYONE, HOST, Audience
from roundtable.core.state import TableState

LONGEST_LINE = 500
LONGEST_TIME = 86_400  # seconds
MOST_MARKS = 6  # combining marks on one letter of a line: Burmese and Tibetan need more than a name may have


def refuse(code: str, variant: str = "", /, **values: Any) -> NoReturn:
    raise IllegalAction(code, variant, **values)


def conduct(now: Transition[Any], actor: int, action: Action) -> None:
    """What follows from an action that is no move of the game."""
    state: TableState = now.state
    if state.outcome is not None and not isinstance(action, ask.Say | ask.Remark):
        refuse("game/over")
    is_host = actor == HOST
    match action:
        case ask.Say(channel=channel, text=text) if not is_host:
            say(now, actor, channel, text)
        case ask.Remark() if not is_host:
            remark(now, actor, action)
        case ask.AskCountdown(phase=phase) if not is_host:
            require_no_clock(state, phase)
            if actor not in state.wants_countdown:
                now.emit(happened.CountdownAsked(audience=EVERYONE, seat=actor))
            if 2 * len(now.state.wants_countdown) > state.setup.seats:
                start_countdown(now, state.setup.countdown_seconds)
        case ask.StartCountdown(phase=phase, seconds=seconds) if is_host:
            require_no_clock(state, phase)
            require_seconds(seconds)
            start_countdown(now, seconds)
        case ask.Pause() if is_host:
            if not state.is_paused:
                now.emit(happened.ClockPaused(audience=EVERYONE))
        case ask.Resume() if is_host:
            if state.is_paused:
                now.emit(happened.ClockResumed(audience=EVERYONE))
        case ask.Extend(phase=phase, seconds=seconds) if is_host:
            require_phase(state, phase)
            require_seconds(seconds)
            if not state.has_clock:
                refuse("action/no_clock", "extend", phase=phase)
            now.emit(happened.ClockExtended(audience=EVERYONE, seconds=seconds))
        case ask.AskCallOff() if not is_host:
            if actor not in state.wants_call_off:
                now.emit(happened.CallOffAsked(audience=EVERYONE, seat=actor))
            if 2 * len(now.state.wants_call_off) > state.setup.seats:
                now.end(None, "called_off")
        case ask.CallOff() if is_host:
            now.end(None, "called_off")
        case ask.AnnounceOutcome(winner=winner, reason=reason) if is_host:
            announce(now, winner, reason)
        case _:
            refuse("action/not_now", action=name_of(type(action)))


def announce(now: Transition[Any], winner: str | None, reason: str) -> None:
    """C7: a game that was played away from the screen ends as the host says."""
    if (winner, reason) not in now.announceable:
        endings = [ending for side, ending in now.announceable if side == winner]
        refuse("action/not_allowed", "outcome", endings=endings)
    if winner is not None and now.state.phase.number == 0:
        refuse("game/not_dealt")
    now.end(winner, reason)


def start_countdown(now: Transition[Any], seconds: int) -> None:
    """C6: a countdown also ends a pause, so that no player can hold up the table."""
    if now.state.is_paused:
        now.emit(happened.ClockResumed(audience=EVERYONE))
    now.emit(happened.CountdownStarted(audience=EVERYONE, seconds=seconds))


def hearers(state: TableState, seat: int, channel: str) -> Audience:
    """Who hears what this seat says in a channel, if it may speak there."""
    floor = state.floors.get(channel)
    if floor is None or seat not in floor.speakers:
        open_to_you = sorted(name for name, floor in state.floors.items() if seat in floor.speakers)
        refuse("talk/closed", channels=open_to_you)
    return floor.hearers


def remark(now: Transition[Any], seat: int, said: ask.Remark) -> None:
    audience = hearers(now.state, seat, said.channel)
    phrase = now.phrases.get(said.phrase)
    unsaid = now.state.setup.unsaid_phrases()
    if phrase is None:
        refuse("talk/text", "phrase", phrases=[name for name in now.phrases if name not in unsaid])
    if said.phrase in unsaid:
        refuse("talk/text", "unsaid", phrase=said.phrase)
    is_seat = said.about is not None and 0 <= said.about < now.state.setup.seats
    if is_seat != phrase.has_seat or (said.about is not None and not is_seat):
        refuse("talk/text", "seat" if phrase.has_seat else "no_seat", phrase=said.phrase)
    if (said.word in now.words) != phrase.has_word or (said.word is not None and not phrase.has_word):
        refuse("talk/text", "word" if phrase.has_word else "no_word", phrase=said.phrase, words=sorted(now.words))
    now.emit(
        happened.Remarked(
            audience=audience,
            seat=seat,
            channel=said.channel,
            phrase=said.phrase,
            about=said.about,
            word=said.word,
        )
    )


def say(now: Transition[Any], seat: int, channel: str, text: str) -> None:
    audience = hearers(now.state, seat, channel)
    if len(text) > LONGEST_LINE or not is_showable(text):
        refuse("talk/text", most=LONGEST_LINE)
    now.emit(happened.Said(audience=audience, seat=seat, channel=channel, text=text))


def is_showable(text: str) -> bool:
    """Whether there is something to see in a line, and nothing that would change the lines around it."""
    something = any(unicodedata.category(sign) != "Cf" and not sign.isspace() for sign in text)
    is_heap = not text.isascii() and has_too_many_marks(text, MOST_MARKS, MOST_MARKS)
    return something and not is_heap and not any(map(is_unprintable, text))


def require_phase(state: TableState, phase: int) -> None:
    if phase != state.phase.number:
        refuse("action/late", phase=phase, now=state.phase.number)


def require_no_clock(state: TableState, phase: int) -> None:
    require_phase(state, phase)
    if phase == 0:
        refuse("game/not_dealt")
    if state.has_clock:
        refuse("action/not_now", "clock", phase=phase)


def require_seconds(seconds: int) -> None:
    if type(seconds) is not int or not 1 <= seconds <= LONGEST_TIME:
        refuse("action/not_allowed", "seconds", most=LONGEST_TIME)
