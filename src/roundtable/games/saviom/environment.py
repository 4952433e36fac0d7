"""Saviom as numbers: its moves, and what a seat knows of the living, accusations, the last trial and the nights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from roundtable.core.actions import Move
from roundtable.core.events import Event
from roundtable.core.seats import Seat
from roundtable.games.saviom import actions
from roundtable.games.saviom import events as town
from roundtable.games.saviom.setup import Role, SaviomSetup, Side
from roundtable.games.saviom.state import SaviomState
from roundtable.kernels.actions import NO_PHASE, aimed
from roundtable.kernels.environment import Environment
from roundtable.kernels.layout import HIGHEST, BySeat, Layout, Part, Sheet, maybe, sign

PHASES = {"day": 0, "defense": 1, "night": 2}
ROLES = tuple(Role)
CAUSES = ("verdict", "night", "surrender")
FATES: dict[str, tuple[str, ...]] = {"none": (), "side": tuple(Side), "role": tuple(Role)}


def moves(setup: SaviomSetup) -> Iterator[Move]:
    seats = range(setup.seats)
    yield from aimed(actions.Accuse, seats)
    yield actions.WithdrawAccusation(phase=NO_PHASE)
    yield from (actions.Judge(phase=NO_PHASE, eliminate=eliminate) for eliminate in (True, False))
    yield from aimed(actions.Hunt, seats)
    if Role.PROTECTOR in setup.all_roles:
        yield from aimed(actions.Protect, seats)
    if Role.SEER in setup.all_roles:
        yield from aimed(actions.Inspect, seats)
    yield from aimed(actions.Suspect, seats)
    if setup.early_end:
        yield actions.LockIn(phase=NO_PHASE)
    yield actions.Surrender(phase=NO_PHASE)


def layout(setup: SaviomSetup) -> Layout:
    return Layout([*own_parts(setup), *town_parts(setup), *memory_parts(setup)])


def own_parts(setup: SaviomSetup) -> Iterator[Part]:
    seats = BySeat(setup.seats)
    yield Part("seat", (seats,), "this seat")
    yield Part("role", (len(ROLES),), f"its role: {', '.join(ROLES)}")
    yield Part("pack", (seats,), "the Wolves, for a Wolf")
    yield Part("own_verdict", (1,), "how it judges now: 1 eliminate, -1 save")
    yield Part("hunts", (seats, seats), "by Wolf: whom they hunt tonight, for a Wolf")
    yield Part("protects", (seats,), "whom it protects tonight")
    yield Part("protected_last", (seats,), "whom it protected last night")
    yield Part("inspects", (seats,), "whom it inspects tonight")
    yield Part("visions", (seats,), "what it has seen as the Seer: 1 a Wolf, -1 no Wolf")
    yield Part("suspects", (seats,), "whom it suspects tonight")
    yield Part("leaves", (1,), "whether it gives up at dawn")


def town_parts(setup: SaviomSetup) -> Iterator[Part]:
    seats = BySeat(setup.seats)
    yield Part("phase", (len(PHASES),), f"the phase: {', '.join(PHASES)}")
    yield Part("phase_number", (1,), f"how many phases there have been, up to {HIGHEST}")
    yield Part("quiet", (1,), f"days and nights in a row without a death, up to {HIGHEST}")
    yield Part("alive", (seats,), "who lives")
    yield Part("accusations", (seats, seats), "by accuser: at whom they point today")
    yield Part("locked", (seats,), "whose vote is locked in")
    yield Part("accused", (seats,), "who stands trial")


def memory_parts(setup: SaviomSetup) -> Iterator[Part]:
    seats, fates = BySeat(setup.seats), FATES[setup.reveal_on_death]
    yield Part("last_accusations", (seats, seats), "the accusations that stood when the last day ended")
    yield Part("last_trial", (seats,), "who stood the last trial")
    yield Part("last_verdicts", (seats,), "how it was judged: 1 eliminate, -1 save")
    yield Part("deaths", (seats, len(CAUSES)), f"how each of the dead died: {', '.join(CAUSES)}")
    if fates:
        yield Part("fates", (seats, len(fates)), f"what they were: {', '.join(fates)}")


class SaviomNotes:
    """One seat's row, kept up to date from its view and from what it hears."""

    def __init__(self, setup: SaviomSetup, layout: Layout, seat: Seat) -> None:
        self.sheet = Sheet(layout)
        self._fates = FATES[setup.reveal_on_death]
        self._seat = seat
        self._pointing: dict[Seat, Seat] = {}
        self._is_tried = False  # whether today has had its trial

    def write(self, view: SaviomState, heard: Iterable[Event]) -> None:
        self._self(view)
        self._town(view)
        for event in heard:
            self._hear(event)

    def _self(self, view: SaviomState) -> None:
        sheet, seat, role = self.sheet, self._seat, view.roles[self._seat]
        sheet.flag("seat", (seat,))
        sheet.flag("role", (ROLES.index(role),))
        if role is Role.WOLF:
            sheet.flag("pack", view.pack)
            sheet.flag("hunts", pairs(view.hunts))
        sheet.note("own_verdict", sign(view.verdicts.get(seat)))
        sheet.flag("protects", maybe(view.protections.get(seat)))
        sheet.flag("protected_last", maybe(view.protected_last.get(seat)))
        sheet.flag("inspects", maybe(view.inspections.get(seat)))
        sheet.flag("suspects", maybe(view.suspicions.get(seat)))
        for _, target, is_wolf in view.visions:
            sheet["visions"][target] = sign(is_wolf)
        sheet.note("leaves", seat in view.leaving)

    def _town(self, view: SaviomState) -> None:
        sheet = self.sheet
        sheet.flag("phase", (PHASES[view.phase.name],))
        sheet.note("phase_number", min(view.phase.number, HIGHEST))
        sheet.note("quiet", min(view.quiet, HIGHEST))
        sheet.flag("alive", view.alive)
        sheet.flag("accusations", pairs(view.accusations))
        sheet.flag("locked", view.locked)
        sheet.flag("accused", maybe(view.accused))
        if view.fates:
            sheet.flag("fates", [(seat, self._fates.index(was)) for seat, was in view.fates.items()])

    def _hear(self, event: Event) -> None:
        """What the table forgets when the day is over."""
        sheet = self.sheet
        match event:
            case town.AccusationMade():
                self._pointing[event.seat] = event.target
            case town.AccusationWithdrawn():
                del self._pointing[event.seat]
            case town.PlayerDied():
                sheet["deaths"][event.seat, CAUSES.index(event.cause)] = 1
                self._pointing = {one: at for one, at in self._pointing.items() if event.seat not in (one, at)}
            case town.PutOnTrial():
                sheet.flag("last_trial", (event.seat,))
                sheet["last_verdicts"][...] = 0
                sheet.flag("last_accusations", pairs(self._pointing))
                self._is_tried = True
            case town.DayEnded():
                if not self._is_tried:
                    sheet.flag("last_accusations", pairs(self._pointing))
                self._pointing, self._is_tried = {}, False
            case town.VerdictsCounted():
                sheet["last_verdicts"][list(event.eliminate)] = 1
                sheet["last_verdicts"][list(event.save)] = -1


def pairs(choices: Mapping[Seat, Seat]) -> tuple[tuple[Seat, Seat], ...]:
    """Who has chosen whom, as places of a table."""
    return tuple(choices.items())


ENVIRONMENT = Environment(moves=moves, layout=layout, notes=SaviomNotes, may_idle=True)
