"""Everything that can be asked of a table: an action of every kind, drawn at random, legal or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from roundtable.core import actions as ask
from roundtable.core.actions import Action, Move
from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.conduct import LONGEST_LINE
from roundtable.core.game import OPEN_TALK, UNTOLD, Game
from roundtable.core.options import permits
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK, HOST, SPECTATOR, Seat
from roundtable.core.secrecy import Ask
from roundtable.core.state import TableState
from roundtable.testing.generators import any_move

UNKNOWN_CHANNEL = "moon"  # that no game has
LINES = ("Hm.", "Ừ, đúng rồi.", "x" * LONGEST_LINE, "x" * (LONGEST_LINE + 1), "", "One\nTwo")
ENTROPY = ("5e" * 16, "", "no hex")
HOST_ACTIONS: tuple[type[Action], ...] = (
    ask.Pause,
    ask.Resume,
    ask.Extend,
    ask.StartCountdown,
)  # besides the one that ends the game

Channels = Sequence[str]
Draw = Callable[[Play[Any, Any], Channels, Chance], Action]


def any_phase(play: Play[Any, Any], chance: Chance) -> int:
    """The current phase, or sometimes another."""
    return play.phase.number + (0 if chance.below(8) else pick(chance, (-1, 1)))


def any_line(play: Play[Any, Any], channels: Channels, chance: Chance) -> Action:
    return ask.Say(channel=pick(chance, channels), text=pick(chance, (*LINES[:1] * 6, *LINES)))


def any_remark(play: Play[Any, Any], channels: Channels, chance: Chance) -> Action:
    """A phrase out of the book, mostly with what belongs to it."""
    phrases = play.game.phrases
    name = pick(chance, list(phrases))
    is_odd = chance.below(8) == 0
    about = chance.below(play.state.setup.seats) if phrases[name].has_seat != is_odd else None
    word = pick(chance, sorted(play.game.words) or [""]) if phrases[name].has_word != is_odd else None
    phrase = name if chance.below(16) else "no_phrase"
    return ask.Remark(channel=pick(chance, channels), phrase=phrase, about=about, word=word)


def any_ending(play: Play[Any, Any], chance: Chance) -> Action:
    """An ending of this game, or sometimes one that no game has."""
    winner, reason = pick(chance, (*play.game.endings, (None, UNTOLD), (None, "no_reason")))
    return ask.AnnounceOutcome(winner=winner, reason=reason)


def any_seconds(chance: Chance) -> int:
    return 0 if chance.below(8) == 0 else 5 + chance.below(20)


# Every action that any game has. A test requires a row for each.
COMMON: dict[type[Action], Draw] = {
    ask.OpenTable: lambda play, channels, chance: ask.OpenTable(),
    ask.Contribute: lambda play, channels, chance: ask.Contribute(entropy=pick(chance, ENTROPY)),
    ask.DealRoles: lambda play, channels, chance: ask.DealRoles(chosen=chance.below(2) == 1),
    ask.Expire: lambda play, channels, chance: ask.Expire(phase=any_phase(play, chance)),
    ask.Say: any_line,
    ask.Remark: any_remark,
    ask.AskCountdown: lambda play, channels, chance: ask.AskCountdown(phase=any_phase(play, chance)),
    ask.StartCountdown: lambda play, channels, chance: ask.StartCountdown(
        phase=any_phase(play, chance), seconds=any_seconds(chance)
    ),
    ask.Pause: lambda play, channels, chance: ask.Pause(),
    ask.Resume: lambda play, channels, chance: ask.Resume(),
    ask.Extend: lambda play, channels, chance: ask.Extend(phase=any_phase(play, chance), seconds=any_seconds(chance)),
    ask.AskCallOff: lambda play, channels, chance: ask.AskCallOff(),
    ask.CallOff: lambda play, channels, chance: ask.CallOff(),
    ask.AnnounceOutcome: lambda play, channels, chance: any_ending(play, chance),
}


def actions_of(game: Game[Any, Any]) -> tuple[type[Action], ...]:
    """Every kind of action that can be asked for in a game."""
    return (*COMMON, *(kind for kind in game.actions if kind not in COMMON))


# What people do in a phase


def round_of_asks(play: Play[Any, Any], chance: Chance, channels: Channels = ()) -> Iterable[Ask]:
    """Most seats act, some slip, talk, repeat themselves, lose patience or change their mind; at times all are drowsy.

    `channels` are those of the game besides open talk. Each seat numbers its own asks, so two seats often
    use the same id.
    """
    channels = (OPEN_TALK, *channels, UNKNOWN_CHANNEL)
    made: list[Ask] = []
    counts: Counter[int] = Counter()
    for one in _asks(play, chance, channels, made):
        if one.actor >= 0 and not one.id:
            counts[one.actor] += 1
            one = one._replace(id=f"{play.phase.number}.{counts[one.actor]}.{chance.below(4)}")
        made.append(one)
        yield one


def _asks(play: Play[Any, Any], chance: Chance, channels: Channels, made: list[Ask]) -> Iterable[Ask]:
    seats = play.state.setup.seats
    wakeful = 1 if chance.below(6) == 0 else 9
    patience = 2 if chance.below(8) == 0 else 40
    second_thoughts = shuffled(chance, range(seats)) if chance.below(3) == 0 else []
    if chance.below(6) == 0:
        yield from resolute(play, chance)
    if chance.below(2) == 0:
        yield from _conferring(play, channels, chance)
    for seat in (*shuffled(chance, range(seats)), *second_thoughts):
        yield from _besides_moving(play, seat, channels, chance)
        if chance.below(patience) == 0:
            yield Ask(seat, ask.AskCountdown(phase=play.phase.number))
        if chance.below(16) == 0:
            yield from a_repeat(play, seat, made, channels, chance)
        move = a_move(play, seat, chance)
        if move is not None and chance.below(10) < wakeful:
            yield Ask(seat, move)
    if chance.below(10) == 0:
        yield Ask(HOST, COMMON[pick(chance, HOST_ACTIONS)](play, channels, chance))
    if chance.below(100) == 0:
        yield from _calling_off(play, chance)
    state: TableState = play.state
    if state.is_paused:
        yield Ask(HOST, ask.Resume())
    if not state.has_clock:
        yield Ask(HOST, ask.StartCountdown(phase=play.phase.number, seconds=10))
    yield Ask(CLOCK, ask.Expire(phase=play.phase.number))


def resolute(play: Play[Any, Any], chance: Chance) -> Iterable[Ask]:
    """Every seat decides at once: it makes the last kind of move that it is offered, twice."""
    for seat in shuffled(chance, range(play.state.setup.seats)):
        for _ in range(2):
            if serious := [option for option in play.options(seat) if not option.kind.gives_up]:
                yield Ask(seat, serious[-1].sample(chance))


def _besides_moving(play: Play[Any, Any], seat: Seat, channels: Channels, chance: Chance) -> Iterable[Ask]:
    if chance.below(12) == 0:
        slip = any_move(play.game, play.state.setup, play.phase.number, chance)
        if not permits(play.options(seat), slip) or slip.phase != play.phase.number:
            yield Ask(seat, slip)
    if chance.below(8) == 0:
        yield Ask(seat, some_talk(play, seat, channels, chance))
    if chance.below(40) == 0:
        yield Ask(*stray(play, seat, channels, chance))


def some_talk(play: Play[Any, Any], seat: Seat, channels: Channels, chance: Chance) -> Action:
    """A line or a remark, mostly where the seat may speak, and there mostly where not everyone hears it."""
    mine = [name for name, floor in play.state.floors.items() if seat in floor.speakers]
    private = private_channels(play, seat) or mine
    where = pick(chance, (private, private, mine, channels)) or channels
    return pick(chance, (any_line, any_remark))(play, where, chance)


def _conferring(play: Play[Any, Any], channels: Channels, chance: Chance) -> Iterable[Ask]:
    """Before anything is done, those talk who have a channel of their own."""
    for seat in shuffled(chance, range(play.state.setup.seats)):
        if private_channels(play, seat):
            yield Ask(seat, some_talk(play, seat, channels, chance))


def private_channels(play: Play[Any, Any], seat: Seat) -> list[str]:
    """Where this seat may speak and not everyone hears it."""
    return [name for name, floor in play.state.floors.items() if name != OPEN_TALK and seat in floor.speakers]


def stray(play: Play[Any, Any], seat: Seat, channels: Channels, chance: Chance) -> tuple[int, Action]:
    """An action of any kind, which mostly is not for this actor to ask for."""
    kind = pick(chance, [kind for kind in COMMON if kind is not ask.AskCallOff])
    return pick(chance, (seat, seat, SPECTATOR)), COMMON[kind](play, channels, chance)


def a_repeat(
    play: Play[Any, Any], seat: Seat, made: Sequence[Ask], channels: Channels, chance: Chance
) -> Iterable[Ask]:
    """The same once more under the same id, as after a lost answer; or an id that stood for something else."""
    earlier = [Ask(entry.actor, entry.action, entry.id) for entry in play.entries[-60:] if entry.id]
    mine = [one for one in (*earlier, *made) if one.actor == seat]
    if mine:
        before = pick(chance, mine[-6:])
        is_same = chance.below(3) > 0
        yield before if is_same else before._replace(action=some_talk(play, seat, channels, chance))


def _calling_off(play: Play[Any, Any], chance: Chance) -> Iterable[Ask]:
    """C7: some seats, sometimes enough of them, or the host."""
    seats = play.state.setup.seats
    if chance.below(3) == 0:
        yield Ask(HOST, ask.CallOff())
    if chance.below(3) == 0:
        yield Ask(HOST, any_ending(play, chance))
    for seat in shuffled(chance, range(seats))[: chance.below(seats)]:
        yield Ask(seat, ask.AskCallOff())


def a_move(play: Play[Any, Any], seat: Seat, chance: Chance) -> Move | None:
    """Any legal move; one that gives up only rarely."""
    options = [option for option in play.options(seat) if not option.kind.gives_up or chance.below(30) == 0]
    return pick(chance, options).sample(chance) if options else None
