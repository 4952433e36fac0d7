"""What Saviom tells day by day and night by night."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from roundtable.core.events import Event, GameEnded, PhaseBegan
from roundtable.core.seats import Seat, all_seats
from roundtable.games.saviom import events as happened
from roundtable.games.saviom.state import SaviomState
from roundtable.text.picture import Mark, Picture, SeatPicture
from roundtable.text.teller import Teller, indented

NIGHT_CHOICES = (
    happened.HuntMarked,
    happened.HuntWithdrawn,
    happened.ProtectionChosen,
    happened.InspectionChosen,
    happened.SuspectNamed,
    happened.SurrenderPledged,
    happened.InspectionShown,
)
LOOKED_BACK_ON = (
    happened.PutOnTrial,
    happened.VerdictsCounted,
    happened.NightEnded,
    happened.PlayerDied,
    happened.FateRevealed,
)


class SaviomTeller(Teller):
    untold: ClassVar[frozenset[type[Event]]] = Teller.untold | {happened.DayEnded}

    def is_told(self, event: Event) -> bool:
        """A verdict and a night are told with the death that they bring; a surrender is told as such."""
        is_told_before = isinstance(event, happened.PlayerDied) and event.cause != "surrender"
        return super().is_told(event) and not is_told_before

    def opens_paragraph(self, event: Event) -> bool:
        return super().opens_paragraph(event) or isinstance(event, PhaseBegan)

    def is_aside(self, event: Event) -> bool:
        return super().is_aside(event) or isinstance(event, happened.VerdictsCounted | happened.FateRevealed)

    # The picture

    def changes_picture(self, event: Event) -> bool:
        is_day = isinstance(event, PhaseBegan) and event.name == "day"
        return super().changes_picture(event) or is_day or isinstance(event, happened.PutOnTrial)

    def picture(self, view: SaviomState, you: Seat) -> Picture:
        """Who lives, who accuses whom, and who stands trial."""
        seats = tuple(
            SeatPicture(tuple(self.marks(view, seat)), self.note(view, seat), seat not in view.alive)
            for seat in range(len(self.names))
        )
        return Picture(tuple(self.captions(view)), seats, you=you)

    def captions(self, view: SaviomState) -> Iterator[str]:
        if view.outcome is not None:
            yield self.outcome(view.outcome)
            return
        if view.accused is not None:
            yield self.text("status.defense", accused=self.names[view.accused])
        elif view.phase.name in ("day", "night"):
            yield self.text(f"status.{view.phase.name}")
        yield self.text("label.alive", count=len(view.alive))

    def marks(self, view: SaviomState, seat: Seat) -> Iterator[Mark]:
        if seat not in view.alive:
            yield Mark("†", "x", self.text("mark.dead"), "red")
        if seat == view.accused:
            yield Mark("⚖", "T", self.text("mark.accused"), "yellow")
        if seat in view.locked and view.outcome is None:
            yield Mark("■", "L", self.text("mark.locked"))

    def note(self, view: SaviomState, seat: Seat) -> str:
        """The role when it is known to all; until then whom the player accuses."""
        if view.outcome is not None and seat in view.roles:
            return self.word(view.roles[seat])
        if seat in view.fates:
            return self.word(view.fates[seat])
        if seat in view.accusations:
            return self.text("mark.accuses", name=self.names[view.accusations[seat]])
        return ""

    def history(self, view: SaviomState, heard: Iterable[Event]) -> str:
        """Day by day: accusations when the time was up, how the trial went, and whom the night took (S6, S7)."""
        dead = all_seats(len(self.names)) - view.alive
        alive = self.text("history.alive", seats=self.seats(view.alive))
        return "\n".join([*self.days(heard), alive, self.text("history.dead", seats=self.seats(dead))])

    def days(self, heard: Iterable[Event]) -> Iterator[str]:
        accusations: dict[Seat, happened.AccusationMade] = {}
        days = nights = 0
        for event in heard:
            match event:
                case PhaseBegan(name="day"):
                    days += 1
                    yield self.text("label.day", number=days)
                case PhaseBegan(name="night"):
                    nights += 1
                    yield self.text("label.night", number=nights)
                case happened.AccusationMade(seat=seat):
                    accusations[seat] = event
                case happened.AccusationWithdrawn(seat=seat):
                    accusations.pop(seat, None)
                case happened.PlayerDied(seat=gone):
                    accusations = {seat: made for seat, made in accusations.items() if gone not in (seat, made.target)}
                case happened.PutOnTrial() | happened.DayEnded():
                    yield from self.standing(accusations)
                    accusations = {}
            if isinstance(event, LOOKED_BACK_ON) and (said := self.sentence(event)):
                yield indented(said)
        yield from self.standing(accusations)

    def standing(self, accusations: Mapping[Seat, happened.AccusationMade]) -> Iterator[str]:
        yield from (indented(self.sentence(accusations[seat]) or "") for seat in sorted(accusations))

    def look_back(self, facts: Iterable[Event]) -> Iterator[str]:
        """Roles and nights. Verdicts were public when they were counted, so only those that never were are told."""
        nights = 0
        verdicts: dict[Seat, str] = {}
        for fact in facts:
            match fact:
                case happened.RoleDealt():
                    yield indented(self.sentence(fact) or "")
                case happened.VerdictMarked(seat=seat, eliminate=eliminate):
                    verdicts[seat] = self.text("history.eliminate" if eliminate else "history.spare")
                case happened.VerdictsCounted():
                    verdicts.clear()
                case happened.DayEnded() | GameEnded():
                    yield from self.choices("history.verdicts_lost", verdicts)
                    verdicts.clear()
                case PhaseBegan(name="night"):
                    nights += 1
                    yield self.text("label.night", number=nights)
                case _ if isinstance(fact, NIGHT_CHOICES):
                    yield indented(self.sentence(fact) or "")
