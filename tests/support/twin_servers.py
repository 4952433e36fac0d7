"""The twin test over the real server: two rooms that a listener cannot tell apart, played in virtual time.

In the first room random players and bots play. They talk, make mistakes, drop out, come back and send requests by HTTP,
and the server is restarted. The second room has another deal. Everything public happens there again at the same virtual
times; what was secret is done in another way, as the game's secrecy mirrors it. Every listener who may not know in
which of the two rooms they are must receive the same bytes at the same virtual times.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from roundtable.core.actions import Action, Move, Remark
from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.seats import CLOCK, HOST, TABLE, Seat
from roundtable.core.secrecy import Ask
from roundtable.core.setup import Setup
from roundtable.games import GAMES
from roundtable.games.thavalon.actions import GoOn
from roundtable.protocol import rooms as protocol
from roundtable.rooms.events import SeatTaken
from roundtable.testing.check import secrecy_of
from roundtable.testing.generators import any_setup
from roundtable.testing.twins import TwinTest
from support.asgi_server import Transcript, in_virtual_time
from support.random_players import Original, play_original
from support.twin_room import (
    EVERYONE_ELSE,
    HOST_MEMBER,
    LEAST,
    OPERATOR,
    PLAYED_AT_RANDOM,
    Call,
    ScriptedBots,
    Table,
    TimedInput,
    TimedStep,
    TwinRoom,
)
from support.virtual_time import VirtualLoop, run

SLOWEST_BOT = 0.6  # seconds from the question to the answer
BEFORE = 0.003  # seconds before a deadline at which a player decides after all
DOWN = 0.6  # seconds that a restart takes, at the most
SECRET = {"PlayCard", "GoOn", "Hunt", "Protect", "Inspect", "Suspect", "Judge"}  # moves that no other listener hears of
COUNTS = re.compile(r"^(roundtable_(?:said_total|rows_total|commit_seconds\S*)|process_\w+) \S+$", re.MULTILINE)
PRIVATE_TALK = re.compile(r'"audience":\[[^"]*"channel":"\w+","is":"(Said|Remarked)"')
REQUEST = re.compile(r'"is": "(\w+)"')
MODERATED = re.compile(r"/api/rooms/\w+/moderator/\w+ 200 ")
WELCOME = re.compile(r'\{"game":"[a-z_]+",("heard":\d+,)?"is":"Welcome"')
EVENTS = "[{"  # how a list of events begins
BIRTHS = re.compile(r"^(roundtable_\w+_created\S*) \S+$", re.MULTILINE)


@dataclass
class Plan:
    """The inputs of the second room, when it ends, and from when each seat may know in which of the two it is."""

    inputs: list[TimedInput] = field(default_factory=list)
    moves: dict[Call, Action] = field(default_factory=dict)
    end: float = 0.0
    knows_from: dict[int, float] = field(default_factory=dict)


class TwinPlanner:
    """Plans the second room: the first one, carried over to another deal. `alike` are the seats that are compared."""

    def __init__(self, original: Original, deal: Any, focus: Seat, alike: Collection[Seat], chance: Chance) -> None:
        self._original, self._moments = original, original.moments
        self._script = original.script()
        self._mirror = secrecy_of(original.table.setup.game).mirror(self._script, deal, focus, chance)
        self._alike = alike
        self._plan = Plan(end=original.end)
        self._by_step = {timed.step: timed for timed in original.inputs if timed.step is not None}
        self._extra = 0

    def plan(self) -> Plan:
        plan = self._plan
        self._tell_bots_what_was_overtaken()
        for index, moment in enumerate(self._moments):
            asks = None if moment.step.is_over else self._mirror.asks(index)
            if asks is None or not self._take_over(index, asks):
                plan.end = min(plan.end, moment.at - BEFORE - LEAST)
                break
            for seat in self._mirror.told_apart(index):
                plan.knows_from.setdefault(seat, self._phase_began(index))
            if moment.step.actor >= 0 and asks != [Ask(moment.step.actor, moment.step.action)]:
                plan.knows_from.setdefault(moment.step.actor, moment.at - 2 * LEAST)  # they make another move
        self._let_the_host_know()
        plan.inputs += [timed for timed in self._original.inputs if timed.step is None and not self._is_private(timed)]
        plan.inputs = sorted((timed for timed in plan.inputs if timed.at < plan.end), key=lambda timed: timed.at)
        return plan

    def _let_the_host_know(self) -> None:
        """A host who takes a bot's seat may know what that seat knows, and when."""
        for at, event in self._original.happened:
            if isinstance(event, SeatTaken) and event.member == HOST_MEMBER:
                knows = self._plan.knows_from.get(event.seat, self._plan.end) if event.seat in self._alike else 0.0
                self._plan.knows_from.setdefault(HOST, max(at, knows))

    def _is_private(self, timed: TimedInput) -> bool:
        """An act that was sent again is answered to its sender alone: those who are not compared leave it out."""
        return timed.kind in ("act again", "id again") and timed.who not in self._alike

    def _take_over(self, index: int, asks: Sequence[Ask]) -> bool:
        """Plan the inputs of this step; returns whether all of them can be made."""
        moment = self._moments[index]
        if isinstance(moment.step.action, GoOn) and moment.step.refusal is None and self._original.table.bots:
            asks = [Ask(moment.step.actor, moment.step.action)]  # a bot goes on only when it is asked
        could = [self._take_over_one(moment, self._by_step.get(index), ask, len(asks)) for ask in asks]
        return all(could)

    def _take_over_one(self, moment: TimedStep, timed: TimedInput | None, ask: Ask, count: int) -> bool:
        plan, seat = self._plan, ask.actor
        if seat in (CLOCK, HOST):
            plan.inputs += [] if timed is None else [timed]
            return True
        assert seat != TABLE
        if moment.call is not None and seat == moment.step.actor:
            assert isinstance(ask.action, Move | Remark)
            plan.moves[moment.call] = ask.action
            return True
        if timed is not None and seat == timed.who and count == 1:
            plan.inputs.append(timed._replace(action=ask.action))
            return True
        if moment.hands[seat] == "here":
            self._extra += 1
            at = self._in_time(moment) if timed is None else timed.at
            plan.inputs.append(TimedInput(at, "act", seat, action=ask.action, id=f"x{self._extra}"))
            return True
        if moment.hands[seat] == "bot" and isinstance(ask.action, Move):
            return self._tell_bot(moment, seat, ask.action)
        return type(ask.action).__name__ == "PlayCard"  # the clock lays the same one

    def _in_time(self, moment: TimedStep) -> float:
        """Just before this moment; before a restart that the server has not come back from by then."""
        at = moment.at - BEFORE
        down = [timed.at for timed in self._original.inputs if timed.kind == "restart" and at - DOWN < timed.at < at]
        return min([at, *(begun - BEFORE for begun in down)])

    def _tell_bot(self, moment: TimedStep, seat: Seat, move: Move) -> bool:
        """Let the bot make this move when it is asked for the last time in this phase, if that is early enough."""
        phase = moment.step.phase.number
        asked = [call for call in self._original.calls if call[:2] == (phase, seat) and not call.is_remark]
        if not asked or asked[-1] in self._plan.moves:
            return False
        self._plan.moves[asked[-1]] = move
        return self._original.calls[asked[-1]].at < moment.at - SLOWEST_BOT

    def _tell_bots_what_was_overtaken(self) -> None:
        """A bot whose public move comes too late is asked again, in both rooms."""
        done = {moment.call for moment in self._moments}
        for call, thought in self._original.calls.items():
            if call not in done and thought.move is not None and type(thought.move).__name__ not in SECRET:
                self._plan.moves[call] = thought.move

    def _phase_began(self, index: int) -> float:
        number = self._moments[index].step.phase.number
        earlier = [moment.at for moment in self._moments[:index] if moment.step.phase.number < number]
        return earlier[-1] + LEAST / 2 if earlier else 0.0


def play_twin(original: Original, deal: Any, plan: Plan) -> dict[int, Transcript]:
    async def main(loop: VirtualLoop) -> dict[int, Transcript]:
        twin = TwinRoom(loop, original.table, deal, ScriptedBots(plan.moves))
        with in_virtual_time(loop, twin.transcripts[OPERATOR]):
            await twin.open()
            for timed in plan.inputs:
                await asyncio.sleep(timed.at - loop.time())
                await twin.perform(timed)
            await asyncio.sleep(plan.end - loop.time())
            await twin.close()
        return twin.transcripts

    return run(main)


# The comparison


@dataclass
class Compared:
    """How much was compared, what happened meanwhile, and the first difference that was found."""

    pairs: int = 0
    same: int = 0  # frames, answers and log lines that were the same
    saw: Counter[str] = field(default_factory=Counter)
    leak: str | None = None

    def add(self, other: Compared) -> None:
        self.pairs += other.pairs
        self.same += other.same
        self.saw += other.saw
        self.leak = self.leak or other.leak


def compare(original: Original, twin: dict[int, Transcript], plan: Plan, alike: Iterable[Seat]) -> Compared:
    compared = Compared(pairs=1, saw=deeds(original, plan.end))
    for who in (*alike, *EVERYONE_ELSE):
        until = min(plan.end, plan.knows_from.get(who, plan.end))
        expected, found = (told_before(transcripts[who], until) for transcripts in (original.transcripts, twin))
        if who == HOST and original.table.settings.is_moderated:
            compared.saw["moderator"] += any(MODERATED.match(told) for _, told in expected)
            expected, found = (without_roles(told) for told in (expected, found))
        compared.same += len(expected)
        compared.saw += sights(who, expected)
        if expected != found:
            compared.leak = compared.leak or first_difference(who, expected, found)
    observed = set(original.table.people) - set(alike) | {HOST} & set(plan.knows_from)
    for who in observed:
        compare_lengths(compared, original, twin, plan, who)
    for who in set(original.table.people) - set(alike):
        until = min(plan.end, hung_up_meanwhile(original, who))
        expected, found = (narrated(transcripts[who], until) for transcripts in (original.transcripts, twin))
        compared.saw["narrated"] += len(expected)
        if expected != found:
            compared.leak = compared.leak or first_difference(who, expected, found)
    seen = [moment.step for moment in original.moments if moment.at < plan.end]
    compared.saw["expiry"] += sum(step.actor == CLOCK for step in seen)
    remarks = [moment for moment in original.moments if moment.call is not None and moment.call.is_remark]
    compared.saw["remark of a bot"] += sum(moment.at < plan.end for moment in remarks)
    compared.saw += Counter({f"phase {step.phase.name}" for step in seen})
    compared.saw += Counter({f"role {role}" for role in roles_of(original.deal)})
    return compared


def deeds(original: Original, end: float) -> Counter[str]:
    """What was done before this moment: kinds of inputs, and requests that changed the room."""
    done: Counter[str] = Counter()
    written = {round(at, 3) for at, _ in original.happened}
    for timed in original.inputs:
        if timed.at < end:
            done[timed.kind] += 1
            request = REQUEST.search(timed.text + timed.body)
            if request and round(timed.at, 3) in written:
                done[f"granted {request[1]}"] += 1
    at_host = [event for at, event in original.happened if isinstance(event, SeatTaken) and at < end]
    done["host at the table"] += any(event.member == HOST_MEMBER for event in at_host)
    done["start without the unready"] += bool(original.table.unready)
    return done


def hung_up_meanwhile(original: Original, who: int) -> float:
    """When a player first hung up at the time of a step of the game: whether they heard it is not defined."""
    steps = {round(moment.at, 3) for moment in original.moments}
    hung_up = [timed.at for timed in original.inputs if (timed.kind, timed.who) == ("hang up", who)]
    return min((at for at in hung_up if round(at, 3) in steps), default=original.end)


def narrated(transcript: Transcript, moment: float) -> list[tuple[float, str]]:
    """What a narrator on a player's phone speaks of, and when: the events for everyone, each when it is first heard. A
    phone at the table speaks to all, so this may not depend on the role of its owner."""
    told: list[tuple[float, str]] = []
    number = last = 0
    for at, frame in told_before(transcript, moment):
        for line in frame.split("\n"):
            if WELCOME.match(line):
                number = json.loads(line).get("heard", 0)
            for event in json.loads(line) if line.startswith(EVENTS) else ():
                number += 1
                if number > last and event.get("audience", "everyone") == "everyone":
                    last = number
                    told.append((at, json.dumps(event)))
    return told


def without_roles(told: list[tuple[float, str]]) -> list[tuple[float, str]]:
    """What a moderator is told, without the roles that they may read."""
    return [(at, what) for at, what in told if not MODERATED.match(what)]


def compare_lengths(compared: Compared, original: Original, twin: dict[int, Transcript], plan: Plan, who: int) -> None:
    """Compare what an observer of the network sees of a player whose role may differ in the two rooms. A client that
    asks for more than it has missed is left out: how much that is depends on private events."""
    lengths, others = (frame_lengths(transcripts[who], plan.end) for transcripts in (original.transcripts, twin))
    vague = [timed.at for timed in plan.inputs if (timed.who, timed.kind, timed.text) == (who, "enter", "more")]
    for at, expected in lengths.items():
        if len(expected) != len(others.get(at, ())) or any(abs(at - other) < LEAST for other in vague):
            continue
        compared.same += 1
        compared.saw["lengths"] += 1
        if expected != others[at]:
            found = f"an observer sees frames to {who} of {others[at]} characters at {at} instead of {expected}"
            compared.leak = compared.leak or found


def sights(who: int, told: list[tuple[float, str]]) -> Counter[str]:
    """Which cases a transcript covers; the test requires each of them somewhere."""
    texts = [text for _, text in told]
    marks = {
        "look": '["looking_until"],1',
        "stand-in": '"stand_in":"random"',
        "refusal": '"is":"Refused"',
        "view": '"is":"View"',
        "close": "websocket.close",
    }
    marks |= {
        "record refused": "/record 409",
        "record": "/record 200",
        "replay": "/replay/all 200",
        "script": "/script/en 200",
        "games": "/games 200",
        "own table": "/membership 200",
        "moderator refused": "/moderator/en 403",
        "death": '"is":"PlayerDied"',
        "dead listener": f'"is":"PlayerDied","seat":{who}}}',
    }
    return Counter({name: 1 for name, mark in marks.items() if any(mark in text for text in texts)})


def told_before(transcript: Transcript, moment: float) -> list[tuple[float, str]]:
    return [(at, without_counts(what)) for at, what in transcript.lines if at < moment - LEAST / 4]


def frame_lengths(transcript: Transcript, moment: float) -> dict[float, list[int]]:
    """How long the frames to a player are, by the time at which they are sent. When a player acts in secret, whether
    that changes anything, and how long a private line of talk is shows as well, and is not compared."""
    lengths: dict[float, list[int]] = {}
    for at, what in told_before(transcript, moment):
        if not what.startswith('{"') or PRIVATE_TALK.search(what):
            continue
        news = [line for line in what.split("\n") if not line.startswith('{"id":')]  # ids are the clients' own
        if news:
            lengths.setdefault(at, []).append(sum(len(line.encode()) + 1 for line in news))
    return lengths


def without_counts(what: str) -> str:
    """Metrics count messages and rows, secret or not, measure the process, and say when it started: for the operator
    alone."""
    if not what.startswith("/metrics 200"):
        return what
    length = re.compile(r"\('content-length', '\d+'\)")
    return length.sub("", BIRTHS.sub(r"\1", COUNTS.sub(r"\1", what)))


def first_difference(who: int, expected: list[tuple[float, str]], found: list[tuple[float, str]]) -> str:
    for one, other in zip(expected, found, strict=False):
        if one != other:
            place = next((at for at, signs in enumerate(zip(one[1], other[1], strict=False)) if len(set(signs)) > 1), 0)
            seen, wanted = (text[max(0, place - 200) : place + 200] for text in (other[1], one[1]))
            return f"{who} heard at {other[0]}: {seen!r} instead of, at {one[0]}: {wanted!r}"
    longer = expected if len(expected) > len(found) else found
    return f"{who} heard {len(found)} things instead of {len(expected)}: {longer[min(len(expected), len(found))]}"


def compare_pairs(table: Table, chance: Chance, twins: int, rounds: int) -> Compared:
    """Compare one room with some twins of it; stops at the first leak."""
    total = Compared()
    game = GAMES[table.setup.game].game
    rules = TwinTest(game, secrecy_of(game.name))
    original = play_original(table, any_deal(table.setup, chance), chance, rounds)
    script = original.script()
    for focus in shuffled(chance, table.people)[:twins]:
        deal = rules.find_twin(script, focus, chance)
        if deal is None:
            continue
        alike = [seat for seat in range(table.setup.seats) if rules.are_alike(script, deal, seat)]
        plan = TwinPlanner(original, deal, focus, alike, chance).plan()
        total.add(compare(original, play_twin(original, deal, plan), plan, alike))
        if total.leak:
            break
    return total


# Tables

RARE = {
    "avalon": {"Oberon", "Mordred"},
    "thavalon": {"Agravaine", "Colgrevance", "Titania", "Arthur", "Nimue"},
    "saviom": {"Seer", "Protector"},
}
DRAWS = 6  # of which the one with the most rare roles is taken


def any_table(game: str, chance: Chance, **chosen: Any) -> Table:
    """A table with random options, bots and settings, unless they are chosen; phases are short."""
    kind = GAMES[game].game.setup_type
    seats = chosen.pop("seats", None) or kind.fewest + chance.below(kind.most - kind.fewest + 1)
    often, chosen_unready = frozenset(chosen.pop("often", ())), chosen.pop("unready", None)
    bot = chosen.pop("bot", PLAYED_AT_RANDOM)
    bots = chosen.pop("bots", pick(chance, (0, 0, 2, 3)))
    settings = protocol.Settings(
        is_public=True,
        spectator_delay=chosen.pop("spectator_delay", pick(chance, (0, 0, 2))),
        takeover_seconds=chosen.pop("takeover_seconds", pick(chance, (None, 5, 5, 5, 15))),
        idle_seconds=chosen.pop("idle_seconds", pick(chance, (None, 30))),
        bot_pace=chosen.pop("bot_pace", pick(chance, ("instant", "quick", "human"))),
        look_seconds=chosen.pop("look_seconds", 0),
        in_person=chosen.pop("in_person", "no"),
        has_moderator=chosen.pop("has_moderator", False),
        takeover_bot="random",
    )
    if game == "saviom":
        chosen = {"day_seconds": 9, "defense_seconds": 6, "night_seconds": 8} | chosen
    drawn: list[Setup] = []
    while len(drawn) < DRAWS:
        setup = replace(any_setup(GAMES[game].game, chance, seats), **chosen)
        drawn += [] if setup.problems() else [setup]
    setup = max(drawn, key=lambda one: len(RARE[game] & set(one.possible_roles)))
    order = shuffled(chance, range(seats))
    unready = chosen_unready if chosen_unready is not None else pick(chance, (0, 1, 2))
    return Table(setup, settings, frozenset(order[:bots]), frozenset(order[bots : bots + unready]), often, bot)


def any_deal(setup: Setup, chance: Chance) -> Any:
    drawn = [GAMES[setup.game].game.deal(setup, chance) for _ in range(DRAWS)]
    return max(drawn, key=lambda deal: len(RARE[setup.game] & set(roles_of(deal))))


def roles_of(deal: Any) -> tuple[str, ...]:
    return tuple(map(str, getattr(deal, "roles", deal)))


def every_count(game: str) -> range:
    kind = GAMES[game].game.setup_type
    return range(kind.fewest, kind.most + 1)
