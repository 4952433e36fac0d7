"""Town of Saviom in sentences."""

from __future__ import annotations

from roundtable.core.events import Event, PhaseBegan
from roundtable.games.saviom import events as saviom
from roundtable.story.words import Names


def tell_saviom(event: Event, names: Names) -> str | None:
    match event:
        case saviom.RoleDealt():
            return f"  {names[event.seat]} is a {event.role}."
        case saviom.PackMet():
            return f"  The Wolves are {names.list(event.wolves)}."
        case PhaseBegan(name="day"):
            return f"\nDay breaks over {names.list(event.awaited)}."
        case PhaseBegan(name="night"):
            return "\nNight falls."
        case saviom.AccusationMade():
            return f"{names[event.seat]} accuses {names[event.target]}."
        case saviom.AccusationWithdrawn():
            return f"{names[event.seat]} takes the accusation back."
        case saviom.PutOnTrial():
            return f"{names[event.seat]} stands trial."
        case saviom.LockedIn():
            return f"{names[event.seat]} will not change that vote."
        case saviom.VerdictMarked():
            return f"  {names[event.seat]} votes to {'eliminate' if event.eliminate else 'save'}."
        case saviom.VerdictsCounted():
            sentence = "eliminated" if event.eliminated else "saved"
            return (
                f"  {names[event.accused]} is {sentence}. "
                f"Eliminate: {names.list(event.eliminate)}. Save: {names.list(event.save)}."
            )
        case saviom.NightEnded(killed=None):
            return "Nobody was killed in the night."
        case saviom.NightEnded(killed=int() as killed):
            return f"{names[killed]} was killed in the night."
        case saviom.PlayerDied(cause="surrender"):
            return f"{names[event.seat]} surrenders."
        case saviom.FateRevealed():
            return f"  {names[event.seat]} belonged to: {event.was}."
    return tell_night(event, names)


def tell_night(event: Event, names: Names) -> str | None:
    """What is chosen in the dark; each line for the few who may know it (S8 to S12)."""
    match event:
        case saviom.HuntMarked():
            return f"  {names[event.seat]} hunted {names[event.target]}."
        case saviom.HuntWithdrawn():
            return f"  {names[event.seat]} hunted no more."
        case saviom.ProtectionChosen():
            return f"  {names[event.seat]} protected {names[event.target]}."
        case saviom.InspectionChosen():
            return f"  {names[event.seat]} inspected {names[event.target]}."
        case saviom.SuspectNamed():
            return f"  {names[event.seat]} suspected {names[event.target]}."
        case saviom.SurrenderPledged():
            return f"  {names[event.seat]} gave up, to leave at dawn."
        case saviom.InspectionShown():
            word = "a Wolf" if event.is_wolf else "no Wolf"
            return f"  {names[event.seat]} saw that {names[event.target]} is {word}."
    return None
