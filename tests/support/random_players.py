"""The first room of a pair: random players who do everything that a client can do, and a record of what they did."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from roundtable.core.actions import Action, CallOff, Extend, Pause, Resume, Say, StartCountdown
from roundtable.core.chance import Chance, pick
from roundtable.core.game import OPEN_TALK
from roundtable.core.seats import CLOCK, HOST, SPECTATOR
from roundtable.core.secrecy import Ask, Script
from roundtable.protocol import rooms as protocol
from roundtable.protocol.encoding import ENCODER
from roundtable.rooms.events import RoomEvent
from roundtable.testing.check import secrecy_of
from roundtable.testing.random_asks import round_of_asks
from support.asgi_server import Socket, Transcript, in_virtual_time
from support.client_messages import (
    LANGUAGES,
    World,
    all_addresses,
    any_address,
    any_client_message,
    any_message,
    any_post,
    any_request,
    ask_of,
    member_addresses,
)
from support.twin_room import (
    CODE,
    FIRST_ID,
    FIRST_WORDS,
    HOST_MEMBER,
    HTTP_CLIENT,
    LEAST,
    OPERATOR,
    BotChoice,
    Call,
    RandomBots,
    Table,
    TimedInput,
    TimedStep,
    TwinRoom,
    encoded_act,
    token_of,
)
from support.virtual_time import VirtualLoop, run

HERE = '{"is":"Here"}'
UNKNOWN_ROOM = "NONE22"
RESTARTS, SWEEPS = 2, 1  # in one game, at most


@dataclass
class Original:
    """What happened in the first room."""

    table: Table
    deal: Any
    inputs: list[TimedInput] = field(default_factory=list)
    moments: list[TimedStep] = field(default_factory=list)
    transcripts: dict[int, Transcript] = field(default_factory=dict)
    calls: dict[Call, BotChoice] = field(default_factory=dict)
    happened: list[tuple[float, RoomEvent]] = field(default_factory=list)
    end: float = 0.0

    def script(self) -> Script:
        steps = [moment.step for moment in self.moments]
        received = [{SPECTATOR: moment.heard} for moment in self.moments]
        return Script(self.table.setup, self.deal, steps, received)


class RandomPlayers:
    """The players of the first room: one after the other, they make random inputs of every kind."""

    def __init__(self, twin: TwinRoom, original: Original, chance: Chance) -> None:
        self._twin, self._original, self._chance = twin, original, chance
        self._channels = secrecy_of(twin.table.setup.game).channels
        self._acts: dict[tuple[int, str], Action] = {}
        self._done: Counter[str] = Counter()

    async def play(self, rounds: int) -> None:
        await self._narrate()
        if self._twin.table.settings.is_moderated:
            for who in (HOST, *self._twin.table.people):
                await self._do("fetch", who, f"/api/rooms/{CODE}/moderator/en")
        for _ in range(rounds):
            if self._twin.is_over:
                return
            await self._round()
        await self._narrate()

    async def _narrate(self) -> None:
        """Read the script of a table in one room: before the first move, and when players may have died."""
        if self._twin.table.settings.in_person != "no":
            for language in ("en", "vi"):
                await self._do("fetch", HTTP_CLIENT, f"/api/rooms/{CODE}/script/{language}")

    async def _round(self) -> None:
        play, phase = self._twin.play, self._twin.play.phase

        def is_on() -> bool:
            return self._twin.play is play and not self._twin.is_over and play.phase == phase

        for ask in round_of_asks(play, self._chance, self._channels):
            if ask.actor == CLOCK:
                for _ in range(30):
                    if is_on():
                        await self._something_else(700)
            else:
                await self._something_else(120)
                if is_on():
                    await self._ask(ask)
            if not is_on():
                return

    # Moves and talk

    async def _ask(self, ask: Ask) -> None:
        who = ask.actor
        if who == HOST and (request := host_request(ask.action)):
            text = ENCODER.encode(request).decode()
            await self._do("say", self._host(), ask_of(text, f"h{len(self._original.inputs)}"))
        elif who == SPECTATOR:
            await self._do("say", who, encoded_act(ask.id, ask.action))
        elif who in self._twin.table.people and self._twin.sockets[who].is_open:
            if self._twin.hand(who) == "bot":
                if self._chance.below(3):
                    return
                await self._do("say", who, HERE)
            await self._act(ask)

    async def _act(self, ask: Ask) -> None:
        before = self._acts.setdefault((ask.actor, ask.id), ask.action)
        if before is ask.action and not self._is_used(ask):
            await self._do("act", ask.actor, action=ask.action, id=ask.id)
        else:
            kind = "act again" if before == ask.action else "id again"
            await self._do(kind, ask.actor, action=None if before == ask.action else ask.action, id=ask.id)

    def _is_used(self, ask: Ask) -> bool:
        made = ((timed.who, timed.id) for timed in self._original.inputs if timed.kind == "act")
        return (ask.actor, ask.id) in made

    def _host(self) -> int:
        """The member who is the host now, as a listener."""
        member = self._twin.room.state.host or HOST_MEMBER
        return member - 2 if member - 2 in self._twin.table.people else HOST

    # Everything else

    async def _something_else(self, most: int) -> None:
        """Let time pass, and often make an input that is no move."""
        chance, people = self._chance, self._twin.table.people
        member = pick(chance, [*people, HOST, SPECTATOR])
        await asyncio.sleep((10 + chance.below(most)) / 1000)
        match chance.below(40):
            case 0 | 1 | 2 | 3 | 21:
                await self._fetch()
            case 4:
                path, body = any_post(self._twin.server.app.api_routes, self._world(), chance)
                who = pick(chance, [*people, HOST, self._host(), HTTP_CLIENT])
                key = pick(chance, ("", "", "k1", "k2"))
                await self._do("fetch", who, path, body=body, id=key, lang=pick(chance, ("", "vi")))
            case 5 | 6:
                await self._do("fetch", HTTP_CLIENT, "next door")
            case 7 | 8:
                await self._do("say", pick(chance, people), HERE)
            case 9:
                await self._do("say", member, any_client_message(self._world(), chance))
            case 10 | 11 | 19 | 20:
                request = any_message(any_request(self._world(), chance), self._world(), chance)
                own_id = pick(chance, ("q1", "q2", f"q{len(self._original.inputs)}"))
                await self._do("say", pick(chance, [member, self._host(), self._host()]), ask_of(request, own_id))
            case 12:
                await self._repeat(member)
            case 13 | 14:
                await self._do("hang up", member)
            case 15 | 16:
                await self._come_back()
            case 17 if self._done["restart"] < RESTARTS and chance.below(4) == 0:
                await self._do("restart", HOST)
            case 18 if self._done["sweep"] < SWEEPS and chance.below(4) == 0:
                await self._sweep()

    async def _fetch(self) -> None:
        chance = self._chance
        path = any_address(self._twin.server.routes, self._world(), chance)
        who = pick(chance, [HTTP_CLIENT, OPERATOR, HOST, pick(chance, self._twin.table.people)])
        await self._do("fetch", who, path, lang=pick(chance, ("", *LANGUAGES)))

    async def _sweep(self) -> None:
        """Read every address there is about the room; a member reads what is for members."""
        self._done["sweep"] += 1
        member = pick(self._chance, [HOST, *self._twin.table.people])
        for path in member_addresses(self._twin.server.app.api_routes, self._world()):
            await self._do("fetch", member, path)
        for path in all_addresses(self._twin.server.routes, self._world()):
            await self._do("fetch", HTTP_CLIENT, path)

    async def _repeat(self, member: int) -> None:
        """Say something again that was said before: in this game, or in the one before it."""
        chance = self._chance
        said = [timed for timed in self._original.inputs if timed.who == member and timed.kind in ("say", "act")]
        if self._twin.hand(member) == "bot" if member >= 0 else False:
            # A player who acts again takes the seat back from the bot, which everyone sees.
            await self._do("say", member, HERE)
        if member >= 0 and chance.below(2):
            words = pick(chance, (FIRST_WORDS, Say(channel=OPEN_TALK, text="Hm.")))
            await self._do("say", member, encoded_act(FIRST_ID, words))
        elif said:
            last = pick(chance, said[-5:])
            if last.kind == "act":
                await self._do("act again", member, id=last.id)
            else:
                await self._do("say", member, last.text)

    async def _come_back(self) -> None:
        away = [who for who, socket in self._twin.sockets.items() if not socket.is_open]
        if away:
            wanted = pick(self._chance, ["the rest", "the rest", "more", "wrong", "all"])
            await self._do("enter", pick(self._chance, away), wanted)

    def _world(self) -> World:
        table, room = self._twin.table, self._twin.room.state
        tokens = [token_of(who) for who in (*table.people, HOST)]
        codes = (CODE, CODE, self._twin.other, UNKNOWN_ROOM)
        phase = self._twin.play.phase.number
        return World(CODE, table.setup.seats, room.joined, phase, tokens, codes, table.often)

    async def _do(
        self,
        kind: str,
        who: int,
        text: str = "",
        action: Action | None = None,
        id: str = "",
        body: str = "",
        lang: str = "",
    ) -> None:
        """Make the input when no timer is due, and find the step that it causes."""
        twin, loop, inputs = self._twin, self._twin.loop, self._original.inputs
        while is_due(loop, loop.time()):
            await asyncio.sleep(0.002)
        timed = TimedInput(loop.time(), kind, who, text, action, id, body=body, lang=lang)
        before = len(twin.moments)
        self._done[kind] += 1
        await twin.perform(timed)
        await asyncio.sleep(LEAST)
        if kind == "act" and (refusal := refused_to(twin.sockets[who], id)):
            twin.refused(timed, refusal)
        for place, moment in enumerate(twin.moments[before:], before):
            if id and (moment.step.actor, moment.id) == (who, id):
                timed = timed._replace(step=place, kind="act", action=moment.step.action)
        inputs.append(timed)


def host_request(action: Action) -> protocol.Request | None:
    """What the host asks of the room for the sake of an action."""
    match action:
        case Pause():
            return protocol.HoldClock(do="pause")
        case Resume():
            return protocol.HoldClock(do="resume")
        case Extend(seconds=seconds):
            return protocol.HoldClock(do="extend", seconds=seconds)
        case StartCountdown(seconds=seconds):
            return protocol.HoldClock(do="countdown", seconds=seconds)
        case CallOff():
            return protocol.CallItOff()
    return None


def refused_to(socket: Socket, id: str) -> str | None:
    latest = socket.last("Refused")
    return f"{latest['code']}: {latest['message']}" if latest and latest["id"] == id else None


def is_due(loop: VirtualLoop, moment: float) -> bool:
    """Whether a timer is due at about this time; the order of the two would not be defined."""
    scheduled: Iterable[asyncio.TimerHandle] = loop._scheduled  # type: ignore[attr-defined]
    return any(abs(timer.when() - moment) < 0.0015 for timer in scheduled if not timer.cancelled())


def play_original(table: Table, deal: Any, chance: Chance, rounds: int) -> Original:
    async def main(loop: VirtualLoop) -> Original:
        bots = RandomBots()
        twin = TwinRoom(loop, table, deal, bots)
        original = Original(table, deal, transcripts=twin.transcripts, calls=bots.calls)
        with in_virtual_time(loop, twin.transcripts[OPERATOR]):
            await twin.open()
            await RandomPlayers(twin, original, chance).play(rounds)
            original.end = loop.time()
            await twin.close()
        original.moments, original.happened = twin.moments, twin.happened
        return original

    return run(main)
