"""What the rulebook lets each listener of Saviom know, stated apart from the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar

from roundtable.core.actions import Remark, Say
from roundtable.core.chance import Chance, pick, shuffled
from roundtable.core.seats import CLOCK, SPECTATOR, Audience, Seat
from roundtable.core.secrecy import (
    Ask,
    Audiences,
    Script,
    Step,
    common_audiences,
    everyone,
    other_talk,
    that_seat,
)
from roundtable.games.saviom import events as saviom
from roundtable.games.saviom.actions import Hunt, Inspect, Judge, LockIn, Protect, Surrender, Suspect
from roundtable.games.saviom.setup import Role, SaviomSetup

Deal = tuple[Role, ...]


def pack_of(deal: Deal) -> frozenset[Seat]:
    return frozenset(seat for seat, role in enumerate(deal) if role == "Wolf")


def the_pack(event: Any, state: Any) -> Audience:
    return frozenset(event.wolves)


def wolves_alive(state: Any) -> Audience:
    return frozenset(seat for seat in state.alive if state.roles[seat] == "Wolf")


def the_dead(state: Any) -> Audience:
    return frozenset(seat for seat in range(state.setup.seats) if seat not in state.alive)


def living_wolves(event: Any, state: Any) -> Audience:
    return wolves_alive(state)


def everyone_by_day(event: Any, state: Any) -> Audience:
    """S11: at night only the player hears that a choice was locked in."""
    return that_seat(event, state) if state.phase.name == "night" else everyone(event, state)


AUDIENCES: Audiences = {
    **common_audiences({"wolves": wolves_alive, "dead": the_dead}),  # S7, S8, S12
    saviom.RoleDealt: that_seat,
    saviom.PackMet: the_pack,
    saviom.AccusationMade: everyone,
    saviom.AccusationWithdrawn: everyone,
    saviom.LockedIn: everyone_by_day,
    saviom.PutOnTrial: everyone,
    saviom.VerdictMarked: that_seat,
    saviom.VerdictsCounted: everyone,
    saviom.DayEnded: everyone,
    saviom.HuntMarked: living_wolves,
    saviom.HuntWithdrawn: living_wolves,
    saviom.ProtectionChosen: that_seat,
    saviom.InspectionChosen: that_seat,
    saviom.SuspectNamed: that_seat,
    saviom.InspectionShown: that_seat,
    saviom.NightEnded: everyone,
    saviom.PlayerDied: everyone,
    saviom.FateRevealed: everyone,
    saviom.SurrenderPledged: that_seat,
}


class SaviomSecrecy:
    audiences: Audiences = AUDIENCES
    channels: ClassVar[Sequence[str]] = ("wolves", "dead")

    def known(self, setup: Any, deal: Deal, listener: int) -> Hashable:
        if listener == SPECTATOR:
            return None
        return deal[listener], pack_of(deal) if deal[listener] == "Wolf" else None

    def another_deal(self, setup: Any, deal: Deal, listener: Seat, chance: Chance) -> Deal:
        roles = list(deal)
        one, other = shuffled(chance, [seat for seat in range(len(roles)) if seat != listener])[:2]
        roles[one], roles[other] = roles[other], roles[one]
        return tuple(roles)

    def mirror(self, script: Script, deal: Deal, focus: int, chance: Chance) -> SaviomMirror:
        return SaviomMirror(script, deal, focus, chance)


class SaviomMirror:
    """Days are repeated by the same seats; nights are arranged so that the same player dies, or none."""

    def __init__(self, script: Script, deal: Deal, focus: int, chance: Chance) -> None:
        self.script = script
        self.deal = deal
        self.focus = focus
        self.chance = chance
        self.apart: set[Seat] = set()
        assert isinstance(script.setup, SaviomSetup)
        self.setup: SaviomSetup = script.setup
        self.late_pledges: list[Ask] = []
        self.early: set[Seat] = set()  # those who in the twin have locked in tonight
        self.tapped: set[Seat] = set()  # and those who have chosen
        self.same_pack = pack_of(script.deal) == pack_of(deal)
        self.alive = set(range(len(deal)))
        self.last_ward: Seat | None = None  # whom the Protector of the twin chose last night

    def asks(self, index: int) -> Sequence[Ask] | None:
        step = self.script.steps[index]
        self.apart = set()
        if self.script.begins_phase(index):
            self.early, self.tapped = set(), set()
        if step.refusal is not None:
            alike = step.actor < 0 or self.script.deal[step.actor] == self.deal[step.actor]
            if isinstance(step.action, Surrender) and step.actor != self.focus:
                return []  # who has pledged late may still pledge
            return [Ask(step.actor, step.action)] if alike and not self.hears_wolves(step) else []
        if step.phase.name == "night":
            return self.night_asks(index, step)
        return self.day_asks(index, step)

    @property
    def same_hunt(self) -> bool:
        """Wolves hunt as they did only where the pack is the same and a living Wolf listens."""
        return self.same_pack and self.focus in pack_of(self.deal) & self.alive

    def hears_wolves(self, step: Step) -> bool:
        """A Wolf's slip is answered in terms of the pack, so it is repeated only where the pack is the same."""
        return not self.same_hunt and step.actor >= 0 and self.deal[step.actor] == "Wolf"

    def day_asks(self, index: int, step: Step) -> Sequence[Ask] | None:
        if isinstance(step.action, Judge):
            return self.verdict_asks(index, step)
        if isinstance(step.action, Say | Remark) and step.action.channel == "dead":
            return self.dead_talk(step)
        dead = self.deaths_by_day(index, step)
        return [Ask(step.actor, step.action)] if self.may_bury(dead) else None

    def verdict_asks(self, index: int, step: Step) -> Sequence[Ask]:
        """S7: only final verdicts are heard, and only if they are counted."""
        if step.actor == self.focus:
            return [Ask(step.actor, step.action)]
        steps = [one for one in self.script.of_phase(index) if one.refusal is None]
        verdicts = [one for one in steps if one.actor == step.actor and isinstance(one.action, Judge)]
        is_counted = any(b'"is":"VerdictsCounted"' in line for line in self.lines_of_phase(index))
        if not is_counted:
            self.apart.add(step.actor)
            return [Ask(step.actor, Judge(phase=step.phase.number, eliminate=self.chance.below(2) == 1))]
        if len(verdicts) > 1:
            self.apart.add(step.actor)
            return [Ask(step.actor, verdicts[-1].action)] if verdicts[0] is step else []
        return [Ask(step.actor, step.action)]

    def lines_of_phase(self, index: int) -> Iterable[bytes]:
        number = self.script.steps[index].phase.number
        for step, received in zip(self.script.steps, self.script.received, strict=True):
            if step.phase.number == number:
                yield from received.get(SPECTATOR, ())

    def dead_talk(self, step: Step) -> Sequence[Ask]:
        """S12: what the dead say among themselves is nothing to the living."""
        if self.focus not in self.alive:
            return [Ask(step.actor, step.action)]
        self.apart |= set(range(len(self.deal))) - self.alive
        return other_talk(step, self.chance)

    def deaths_by_day(self, index: int, step: Step) -> list[Seat]:
        if isinstance(step.action, Surrender):
            return [step.actor]
        return [seat for seat in self.alive if seat in self.accused_and_gone(index)]

    def accused_and_gone(self, index: int) -> set[Seat]:
        """Whom a verdict took with this step: public, so read off what a spectator received."""
        if self.script.steps[index].phase.name != "defense":
            return set()
        lines = self.script.received[index].get(SPECTATOR, ())
        return {seat for seat in self.alive for line in lines if b'"is":"PlayerDied","seat":%d}' % seat in line}

    def may_bury(self, dead: Sequence[Seat]) -> bool:
        """Whether these deaths tell no listener which game this is: same reveal, and no side wins in either."""
        reveal = self.setup.reveal_on_death
        for seat in dead:
            before, after = self.script.deal[seat], self.deal[seat]
            if (reveal == "role" and before != after) or (reveal == "side" and (before == "Wolf") != (after == "Wolf")):
                return False
        self.alive -= set(dead)
        return not dead or not any(self.is_won(deal) for deal in (self.script.deal, self.deal))

    def is_won(self, deal: Deal) -> bool:
        wolves = len(pack_of(deal) & self.alive)
        return wolves == 0 or 2 * wolves >= len(self.alive)

    # Nights

    def night_asks(self, index: int, step: Step) -> Sequence[Ask] | None:
        if step.next_phase != "night":
            return self.dawn(index, step)
        match step.action:
            case LockIn():
                return self.lock_asks(step)
            case Surrender():
                return self.pledge_asks(step)
            case Say(channel="dead") | Remark(channel="dead"):
                return self.dead_talk(step)
            case Say(channel="wolves") | Remark(channel="wolves"):
                return [Ask(step.actor, step.action)] if self.same_hunt else self.leave_the_pack()
            case Hunt():
                if self.same_hunt:
                    return self.choice(Ask(step.actor, step.action))
                self.leave_the_pack()
            case Protect() | Inspect() | Suspect():
                if self.script.deal[step.actor] == self.deal[step.actor]:
                    return self.choice(Ask(step.actor, step.action))
            case _:
                return [Ask(step.actor, step.action)]
        return self.tap(step)

    def pledge_asks(self, step: Step) -> Sequence[Ask]:
        """S12: who leaves at dawn may make up their mind late; only fellow Wolves could have noticed."""
        if step.actor == self.focus or (self.same_hunt and step.actor in pack_of(self.deal)):
            return [Ask(step.actor, step.action)]
        self.apart.add(step.actor)
        self.late_pledges.append(Ask(step.actor, step.action))
        return []

    def leave_the_pack(self) -> Sequence[Ask]:
        """The Wolves do something else tonight, so they know which game this is; no other player may."""
        self.apart |= pack_of(self.deal) & self.alive
        return []

    def tap(self, step: Step) -> Sequence[Ask]:
        """A player whose role is another in the twin taps a choice there that decides nothing."""
        others = sorted(self.alive - {step.actor})
        if self.deal[step.actor] == "Citizen":
            return self.choice(Ask(step.actor, Suspect(phase=step.phase.number, target=pick(self.chance, others))))
        if self.deal[step.actor] == "Seer":
            return self.choice(Ask(step.actor, Inspect(phase=step.phase.number, target=pick(self.chance, others))))
        return []

    def choice(self, ask: Ask) -> Sequence[Ask]:
        self.tapped.add(ask.actor)
        return [ask]

    def lock_asks(self, step: Step) -> Sequence[Ask]:
        """S11: only the seat itself hears that it has locked in; one whose choice is another waits until the end."""
        if self.chooses_alike(step.actor):
            self.early.add(step.actor)
            return [Ask(step.actor, step.action)]
        self.apart.add(step.actor)
        return []

    def chooses_alike(self, seat: Seat) -> bool:
        """Whether the seat's own choices of a night are the same in both games."""
        same = self.script.deal[seat] == self.deal[seat]
        return same and (self.same_hunt or self.deal[seat] != "Wolf")

    def dawn(self, index: int, step: Step) -> Sequence[Ask] | None:
        """Before the night ends, Wolves and Protector of the twin see to it that it ends the same."""
        leaving = {one.actor for one in self.night(index) if isinstance(one.action, Surrender)}
        hunts = self.choices(index, Hunt, leaving)
        wards = self.choices(index, Protect, leaving)
        prey = self.agreed(self.script.deal, hunts, leaving)
        killed = None if prey in wards.values() else prey
        spared = {killed, self.last_ward}
        arranged = self.arrange(step.phase.number, prey, killed, wards, leaving)
        locks = self.late_locks(step, spared, leaving, arranged or ())
        if arranged is None or locks is None:
            return None
        is_done = isinstance(step.action, LockIn) and not self.chooses_alike(step.actor)
        if not self.may_bury([seat for seat in {killed, *leaving} if seat is not None]):
            return None
        pledges, self.late_pledges = self.late_pledges, []
        last = [] if is_done else [Ask(step.actor, step.action)]
        return [*pledges, *arranged, *locks, *last]

    def late_locks(
        self, step: Step, spared: set[Seat | None], leaving: set[Seat], arranged: Sequence[Ask]
    ) -> list[Ask] | None:
        """S11: where a night ends early, all who stay have chosen and locked in, in the twin too."""
        if step.actor == CLOCK:
            return []
        phase, asks = step.phase.number, []
        chosen = self.tapped | {ask.actor for ask in arranged}
        waiting = self.alive - leaving - self.early - ({step.actor} if self.chooses_alike(step.actor) else set())
        wolves = sorted(waiting & pack_of(self.deal))
        for seat in sorted(waiting):
            if seat not in chosen:
                target = self.idle_target(seat, spared, wolves)
                if target is None:
                    return None
                kind = {"Wolf": Hunt, "Protector": Protect, "Seer": Inspect}.get(self.deal[seat], Suspect)
                asks.append(Ask(seat, kind(phase=phase, target=target)))
            asks.append(Ask(seat, LockIn(phase=phase)))
        return asks

    def idle_target(self, seat: Seat, spared: set[Seat | None], wolves: Sequence[Seat]) -> Seat | None:
        """Whom a seat can choose tonight without deciding anything; Wolves only by each hunting another player."""
        others = sorted(self.alive - {seat})
        match self.deal[seat]:
            case "Wolf":
                prey = sorted(self.alive - pack_of(self.deal))
                return prey[wolves.index(seat)] if len(wolves) > 1 else None
            case "Protector":
                self.last_ward = next((ward for ward in others if ward not in spared), None)
                return self.last_ward
        return pick(self.chance, others)

    def arrange(
        self, phase: int, prey: Seat | None, killed: Seat | None, wards: dict[Seat, Seat], leaving: set[Seat]
    ) -> list[Ask] | None:
        wolves = pack_of(self.deal) & self.alive - leaving
        protector = next((seat for seat in self.alive - leaving if self.deal[seat] == "Protector"), None)
        is_same_protector = protector is not None and self.script.deal[protector] == "Protector"
        asks: list[Ask] = []
        if not self.same_hunt:
            self.leave_the_pack()
            if killed is not None:
                if killed in pack_of(self.deal) or not wolves:
                    return None
                asks = [Ask(wolf, Hunt(phase=phase, target=killed)) for wolf in sorted(wolves)]
            prey = killed
        ward = wards.get(protector) if is_same_protector and protector is not None else None
        if not is_same_protector and prey is not None and killed is None:
            if protector is None or protector == prey or prey == self.last_ward:
                return None
            asks.append(Ask(protector, Protect(phase=phase, target=prey)))
            ward = prey
        self.last_ward = ward
        return asks

    def agreed(self, deal: Deal, hunts: dict[Seat, Seat], leaving: set[Seat]) -> Seat | None:
        """S8: the player named by more than half."""
        wolves = pack_of(deal) & self.alive - leaving
        out_of = len(hunts) if self.setup.kill_by == "cast" else len(wolves)
        for seat, votes in Counter(hunts.values()).items():
            if 2 * votes > out_of:
                return seat
        return None

    def choices(self, index: int, kind: type, leaving: set[Seat]) -> dict[Seat, Seat]:
        chosen: dict[Seat, Seat] = {}
        for step in self.night(index):
            if isinstance(step.action, kind) and step.actor not in leaving:
                chosen[step.actor] = step.action.target  # type: ignore[attr-defined]
        return chosen

    def night(self, index: int) -> list[Step]:
        return [step for step in self.script.of_phase(index) if step.refusal is None]

    def told_apart(self, index: int) -> Iterable[int]:
        """Besides Wolves, a Seer who inspected a player of another kind knows which game this is."""
        yield from self.apart
        step = self.script.steps[index]
        if step.phase.name == "night" and step.next_phase != "night" and step.refusal is None:
            for seer, target in self.choices(index, Inspect, set()).items():
                if (self.script.deal[target] == "Wolf") != (self.deal[target] == "Wolf"):
                    yield seer


SECRECY = SaviomSecrecy()
