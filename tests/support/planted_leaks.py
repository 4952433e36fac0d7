"""Leaks planted on purpose, modelled on real bugs: the twin test must catch every one of them.

Each is a game that is correct except for one secret that it leaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from roundtable.core.actions import Action, Expire, Remark
from roundtable.core.chance import Stream
from roundtable.core.conduct import LONGEST_LINE
from roundtable.core.entries import Entry, Heard
from roundtable.core.errors import IllegalAction, Problem
from roundtable.core.events import CountdownAsked, CountdownStarted, Event, FloorGiven, PhaseBegan, Remarked, Said
from roundtable.core.game import Game, Transition
from roundtable.core.options import Options
from roundtable.core.play import Play
from roundtable.core.seats import CLOCK, EVERYONE, Seat
from roundtable.core.state import Absorbers, no_change
from roundtable.core.values import value
from roundtable.games import GAMES
from roundtable.games.avalon.events import CardShown, LoyaltyShown
from roundtable.games.quests.actions import PlayCard
from roundtable.games.quests.events import BallotMarked, CardChosen, QuestResolved, RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Card, Glimpse, Role
from roundtable.games.saviom.actions import Hunt, Suspect
from roundtable.games.saviom.events import (
    HuntMarked,
    InspectionChosen,
    InspectionShown,
    LockedIn,
    NightEnded,
    PackMet,
    PlayerDied,
    ProtectionChosen,
    SurrenderPledged,
    VerdictMarked,
)
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.thavalon.events import TeamWithdrawn, WentOn, WindowOpened


@value
class Leaked(Event):
    """Something that should not have been said at all."""

    text: str


def leaked(text: object) -> Event:
    return Leaked(audience=EVERYONE, text=str(text))


def leaky_game(name: str) -> Game[Any, Any]:
    """The game of that name, at whose tables `Leaked` can happen."""
    kind = type(GAMES[name].game)
    absorb: Absorbers = {**kind.absorb, Leaked: no_change}
    leaky: Game[Any, Any] = type(f"Leaky{kind.__name__}", (kind,), {"absorb": absorb})()
    return leaky


Rewrite = Callable[[Any, list[Event]], Iterable[Event]]


class LeakyPlay(Play[Any, Any]):
    """A table whose events pass through `rewrite` on their way into the record."""

    rewrite: ClassVar[Rewrite]

    def _append(self, actor: int, action: Action, id: str, now: Transition[Any]) -> Entry:
        now.events[:] = type(self).rewrite(now.state, list(now.events))
        return super()._append(actor, action, id, now)


class Leak(NamedTuple):
    name: str
    game: str
    table: type[Play[Any, Any]]
    options: dict[str, Any]


LEAKS: list[Leak] = []


def plant(game: str, name: str, table: type[Play[Any, Any]], **options: Any) -> None:
    LEAKS.append(Leak(name, game, table, options))


def rewriting(game: str, **options: Any) -> Callable[[Rewrite], Rewrite]:
    """Plant a leak that changes what is written into the record; its name is the function's."""

    def planted(rewrite: Rewrite) -> Rewrite:
        table = type(rewrite.__name__, (LeakyPlay,), {"rewrite": staticmethod(rewrite)})
        plant(game, rewrite.__name__, table, **options)
        return rewrite

    return planted


def overheard(game: str, kind: type[Event], name: str, **options: Any) -> None:
    """Plant a leak in which every listener hears what only some should."""

    def rewrite(state: Any, events: list[Event]) -> Iterable[Event]:
        return [replace(event, audience=EVERYONE) if isinstance(event, kind) else event for event in events]

    rewrite.__name__ = name
    rewriting(game, **options)(rewrite)


# A wrong audience

overheard("avalon", BallotMarked, "votes_heard_before_they_are_counted")
overheard("avalon", CardChosen, "cards_heard_as_they_are_laid")
overheard("avalon", RoleDealt, "roles_broadcast")
overheard("avalon", LoyaltyShown, "everybody_learns_what_the_lady_showed", lady=True)
overheard("avalon", CardShown, "everybody_learns_the_card_excalibur_turned", excalibur="both")
overheard("thavalon", WentOn, "everybody_sees_who_hesitates_in_a_window", seats=9, clock=False)
overheard("saviom", PackMet, "the_pack_is_public")
overheard("saviom", HuntMarked, "the_hunt_is_public")
overheard("saviom", InspectionShown, "everybody_learns_what_the_seer_saw", mode="advanced")
overheard("saviom", ProtectionChosen, "everybody_sees_who_is_protected", mode="advanced")
overheard("saviom", SurrenderPledged, "a_surrender_by_night_is_told_at_once")
overheard("saviom", LockedIn, "everybody_sees_who_has_chosen_by_night", early_end=True)


overheard("saviom", VerdictMarked, "verdicts_heard_before_they_are_counted")


def overheard_channel(game: str, channel: str, name: str, **options: Any) -> None:
    """Plant a leak in which every listener hears what is said in a channel."""

    def rewrite(state: Any, events: list[Event]) -> Iterable[Event]:
        return [
            replace(event, audience=EVERYONE) if isinstance(event, Said) and event.channel == channel else event
            for event in events
        ]

    rewrite.__name__ = name
    rewriting(game, **options)(rewrite)


overheard_channel("saviom", "wolves", "wolves_are_overheard")
overheard_channel("saviom", "dead", "the_dead_are_overheard")
overheard_channel("avalon", "evil", "good_hears_evil_confer", merlin=True)


@rewriting("saviom")
def everybody_is_told_who_may_speak_among_the_wolves(state: Any, events: list[Event]) -> Iterable[Event]:
    return [
        replace(event, audience=EVERYONE) if isinstance(event, FloorGiven) and event.channel == "wolves" else event
        for event in events
    ]


@rewriting("saviom")
def the_accused_hears_how_it_stands(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, VerdictMarked) and state.accused is not None:
            audience = frozenset({state.accused})
            yield Leaked(audience=audience, text=str(sum(state.verdicts.values())))


@rewriting("saviom", seats=12)
def a_dead_wolf_still_hears_the_hunt(state: Any, events: list[Event]) -> Iterable[Event]:
    return [replace(event, audience=state.pack) if isinstance(event, HuntMarked) else event for event in events]


# What is seen at the start


def with_sights(change: Callable[[Any, RoleDealt], tuple[Glimpse, ...]]) -> Rewrite:
    def rewrite(state: Any, events: list[Event]) -> Iterable[Event]:
        return [replace(one, sees=change(state, one)) if isinstance(one, RoleDealt) else one for one in events]

    rewrite.__name__ = change.__name__
    return rewrite


def merlin_sees_mordred(state: Any, card: RoleDealt) -> tuple[Glimpse, ...]:
    if card.role is not Role.MERLIN:
        return card.sees
    return (Glimpse(seen_as="Evil", seats=tuple(seat for seat, role in state.roles.items() if role in EVIL_ROLES)),)


def percival_sees_merlin_first(state: Any, card: RoleDealt) -> tuple[Glimpse, ...]:
    if card.role is not Role.PERCIVAL:
        return card.sees
    first = sorted(card.sees[0].seats, key=lambda seat: state.roles[seat] is not Role.MERLIN)
    return (Glimpse(seen_as=card.sees[0].seen_as, seats=tuple(first)),)


def evil_sees_titania_last(state: Any, card: RoleDealt) -> tuple[Glimpse, ...]:
    if card.role not in EVIL_ROLES or not card.sees or card.role is Role.COLGREVANCE:
        return card.sees
    last = sorted(card.sees[0].seats, key=lambda seat: state.roles[seat] is Role.TITANIA)
    return (Glimpse(seen_as=card.sees[0].seen_as, seats=tuple(last)),)


rewriting("avalon", seats=7, roles=frozenset((Role.MORDRED,)))(with_sights(merlin_sees_mordred))
rewriting("avalon", seats=7)(with_sights(percival_sees_merlin_first))
rewriting("thavalon", seats=8)(with_sights(evil_sees_titania_last))


# An extra event, or an event that depends on a secret


@rewriting("avalon")
def cards_come_in_seat_order(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, QuestResolved):
            yield leaked([seat for seat in sorted(event.team) if state.roles[seat] in EVIL_ROLES and event.fails])


@rewriting("avalon")
def a_public_line_when_merlin_rides(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, QuestResolved) and any(state.roles[seat] is Role.MERLIN for seat in event.team):
            yield leaked("")


@rewriting("avalon")
def a_vote_lasts_longer_when_evil_leads(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        if isinstance(event, PhaseBegan) and event.name == "vote":
            yield replace(event, seconds=30 if state.roles[state.leader] in EVIL_ROLES else 31)
        else:
            yield event


@rewriting("avalon")
def a_changed_vote_is_announced(state: Any, events: list[Event]) -> Iterable[Event]:
    yield from events
    if len(events) == 1 and isinstance(events[0], BallotMarked):
        yield leaked(f"seat {events[0].seat} wavers")


@rewriting("avalon", quest_seconds=5)
def a_card_laid_by_the_clock_is_announced(state: Any, events: list[Event]) -> Iterable[Event]:
    yield from events
    by_clock = [event.seat for event in events if isinstance(event, CardChosen)]
    if len(by_clock) > 1:
        yield leaked(by_clock)


@rewriting("thavalon", seats=8)
def a_window_opens_only_where_agravaine_rode(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        rode = any(state.is_role(seat, Role.AGRAVAINE) for result in state.results for seat in result.team)
        if not isinstance(event, WindowOpened) or rode:
            yield event


@rewriting("thavalon", seats=10)
def a_window_is_shorter_without_agravaine(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        if isinstance(event, PhaseBegan) and event.name in ("stand", "reckoning"):
            yield replace(event, seconds=20 if Role.AGRAVAINE in state.roles.values() else 1)
        else:
            yield event


@rewriting("thavalon", seats=9)
def a_window_awaits_agravaine(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        if isinstance(event, PhaseBegan) and event.name in ("stand", "reckoning"):
            him = frozenset(seat for seat, role in state.roles.items() if role is Role.AGRAVAINE)
            yield replace(event, awaited=him)
        else:
            yield event


@rewriting("saviom", mode="advanced", seats=8)
def a_rescue_is_announced(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, NightEnded) and event.killed is None and state.protected_last:
            yield leaked("somebody was saved")


@rewriting("saviom", mode="advanced", reveal_on_death="none")
def a_death_tells_the_role(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield replace(event, cause=state.roles[event.seat]) if isinstance(event, PlayerDied) else event


@rewriting("saviom", mode="advanced")
def a_night_awaits_those_with_a_task(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        if isinstance(event, PhaseBegan) and event.name == "night":
            busy = frozenset(seat for seat in state.alive if state.roles[seat] is not SaviomRole.CITIZEN)
            yield replace(event, awaited=busy)
        else:
            yield event


# Leaks outside the record


class SharedNumbering(Play[Any, Any]):
    """Listeners get the numbers of the whole record, with holes where others heard something."""

    def heard(self, listener: int, after: int = 0) -> list[Heard]:
        events = [Heard(place, event) for place, event in enumerate(self.events, 1) if listener in event.audience]
        return events[after:]


class EarlyDawn(Play[Any, Any]):
    """The night ends as soon as the Wolves agree."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        entry = super().act(actor, action, id)
        if isinstance(action, Hunt) and self.state.living_wolves <= set(self.state.hunts):
            super().act(CLOCK, Expire(phase=self.phase.number))
        return entry


class TellingRefusals(Play[Any, Any]):
    """A refusal says more than the seat may know."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        try:
            return super().act(actor, action, id)
        except IllegalAction as refused:
            merlin = next((seat for seat, role in self.state.roles.items() if role is Role.MERLIN), None)
            raise IllegalAction.of([Problem(refused.code, said=f"{refused.message} (Ask seat {merlin}.)")]) from refused


class TellingValues(Play[Any, Any]):
    """The values of a refusal tell more than the seat may know; its sentence does not show them."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        try:
            return super().act(actor, action, id)
        except IllegalAction as refused:
            merlin = next((seat for seat, role in self.state.roles.items() if role is Role.MERLIN), None)
            raise IllegalAction(refused.code, merlin=merlin, most=LONGEST_LINE) from refused


class TellingOptions(Play[Any, Any]):
    """A seat is offered the choices of its left neighbour's role."""

    def options(self, seat: Seat) -> Options:
        mine = super().options(seat)
        if self.phase.name == "night" and mine and mine[0].kind is Suspect:
            neighbour = (seat + 1) % self.state.setup.seats
            return mine if self.state.roles[neighbour] is SaviomRole.WOLF else mine[:1]
        return mine


class TellingDice(Play[Any, Any]):
    """The team drawn for a sleeping leader depends on who is who."""

    def chance(self, label: str) -> Stream:
        return super().chance(f"{label}/{sorted(self.state.roles.items())}")


class ViewsOfTheTruth(Play[Any, Any]):
    """A view is folded from everything."""

    def view(self, listener: int, heard: int | None = None) -> Any:
        return self.state


class EagerCards(Play[Any, Any]):
    """The page shows how many have laid a card that was not a Success."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        entry = super().act(actor, action, id)
        if isinstance(action, PlayCard) and action.card is not Card.SUCCESS and self.phase.name == "quest":
            self._append(actor, action, "", _with(self, leaked("clank")))
        return entry


class DiscardedVotesShown(Play[Any, Any]):
    """Votes that a declaration discarded are shown after all."""

    def _append(self, actor: int, action: Action, id: str, now: Transition[Any]) -> Entry:
        if any(isinstance(event, TeamWithdrawn) for event in now.events) and self.state.ballots:
            now.events.append(leaked(sorted(self.state.ballots.items())))
        return super()._append(actor, action, id, now)


def _with(play: Play[Any, Any], event: Event) -> Transition[Any]:
    now = Transition(play.game, play.state)
    now.events.append(event)
    return now


# Talk that not everyone hears


def overheard_remarks(game: str, channel: str, name: str, **options: Any) -> None:
    """Plant a leak in which every listener hears the remarks in a channel, but not its lines."""

    def rewrite(state: Any, events: list[Event]) -> Iterable[Event]:
        return [
            replace(event, audience=EVERYONE) if isinstance(event, Remarked) and event.channel == channel else event
            for event in events
        ]

    rewrite.__name__ = name
    rewriting(game, **options)(rewrite)


overheard_remarks("saviom", "wolves", "remarks_among_wolves_are_overheard")
overheard_remarks("saviom", "dead", "remarks_of_the_dead_are_overheard")
overheard_remarks("avalon", "evil", "good_hears_the_remarks_of_evil", merlin=True)
overheard_remarks("thavalon", "evil", "good_hears_the_remarks_of_evil_before_a_call")


@rewriting("saviom")
def a_dead_wolf_still_hears_the_remarks(state: Any, events: list[Event]) -> Iterable[Event]:
    return [
        replace(event, audience=state.pack) if isinstance(event, Remarked) and event.channel == "wolves" else event
        for event in events
    ]


@rewriting("saviom")
def a_long_line_among_the_wolves_is_a_murmur_to_all(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, Said) and event.channel == "wolves" and len(event.text) > 100:
            yield leaked("a murmur")


@rewriting("saviom")
def a_claim_among_the_dead_is_counted(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, Remarked) and event.channel == "dead" and event.word:
            yield leaked("the dead have made up their minds")


class RemarksTakeNumbers(Play[Any, Any]):
    """A private remark takes a number of every listener."""

    def heard(self, listener: int, after: int = 0) -> list[Heard]:
        lines, number = [], 0
        for event in self.events:
            is_mine = listener in event.audience
            number += is_mine or isinstance(event, Remarked)
            if is_mine:
                lines.append(Heard(number, event))
        return lines[after:]


class RefusedAmongWolves(Play[Any, Any]):
    """A remark that is refused in the Wolves' channel tells who may speak there."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        try:
            return super().act(actor, action, id)
        except IllegalAction as refused:
            floor = self.state.floors.get("wolves")
            if not isinstance(action, Remark) or action.channel != "wolves" or floor is None:
                raise
            raise IllegalAction(refused.code, refused.variant, channels=sorted(floor.speakers)) from refused


# Wishes


@rewriting("avalon", vote_seconds=None, quest_seconds=None)
def the_second_wish_for_a_countdown_counts_evil(state: Any, events: list[Event]) -> Iterable[Event]:
    for event in events:
        yield event
        if isinstance(event, CountdownAsked) and len(state.wants_countdown) > 1:
            yield leaked(sum(state.roles[seat] in EVIL_ROLES for seat in state.wants_countdown))


@rewriting("thavalon", vote_seconds=None, quest_seconds=None)
def a_countdown_is_shorter_if_evil_wished_for_it(state: Any, events: list[Event]) -> Iterable[Event]:
    evil = sum(state.roles[seat] in EVIL_ROLES for seat in state.wants_countdown)
    for event in events:
        if isinstance(event, CountdownStarted) and state.wants_countdown:
            yield replace(event, seconds=event.seconds - evil)
        else:
            yield event


@rewriting("avalon", vote_seconds=None, merlin=True)
def a_countdown_that_merlin_wished_for_is_announced(state: Any, events: list[Event]) -> Iterable[Event]:
    yield from events
    wishes = {state.roles[seat] for seat in state.wants_countdown}
    if any(isinstance(event, CountdownStarted) for event in events) and Role.MERLIN in wishes:
        yield leaked("an old man is in a hurry")


# What is public of the truth, although no event tells it


def with_truth(change: Callable[[Any], Any]) -> type[Play[Any, Any]]:
    """A table whose state has another phase than its listeners were told."""

    class Untold(Play[Any, Any]):
        def _append(self, actor: int, action: Action, id: str, now: Transition[Any]) -> Entry:
            entry = super()._append(actor, action, id, now)
            if self.is_dealt:
                self.state = self.state.copy()
                self.state.phase = change(self.state)
            return entry

    return Untold


def awaited_with_a_task(state: Any) -> Any:
    busy = frozenset(seat for seat in state.alive if state.roles[seat] is not SaviomRole.CITIZEN)
    return state.phase._replace(awaited=busy) if state.phase.name == "night" else state.phase


def awaited_with_a_choice(state: Any) -> Any:
    evil = frozenset(seat for seat in state.phase.awaited if state.roles[seat] in EVIL_ROLES)
    return state.phase._replace(awaited=evil) if state.phase.name == "quest" else state.phase


def seconds_without_agravaine(state: Any) -> Any:
    if state.phase.name not in ("stand", "reckoning"):
        return state.phase
    return state.phase._replace(seconds=20 if Role.AGRAVAINE in state.roles.values() else 1)


class SecretWishes(Play[Any, Any]):
    """The wishes of Evil to call the game off weigh nothing, and only the truth knows."""

    def _append(self, actor: int, action: Action, id: str, now: Transition[Any]) -> Entry:
        entry = super()._append(actor, action, id, now)
        if self.is_dealt:
            self.state = self.state.copy()
            good = [seat for seat in self.state.wants_call_off if self.state.roles[seat] not in EVIL_ROLES]
            self.state.wants_call_off = frozenset(good)
        return entry


# Ids


class RepeatsAreAnnounced(Play[Any, Any]):
    """A secret move that is sent again is heard by everyone."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        is_repeat = self.has_done(actor, action, id)
        entry = super().act(actor, action, id)
        if is_repeat and isinstance(action, Hunt | Suspect | PlayCard):
            self._append(actor, action, "", _with(self, leaked("once more")))
        return entry


class SharedIds(Play[Any, Any]):
    """An id that another seat has used is refused."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        if id and actor >= 0 and any(entry.id == id and entry.actor != actor for entry in self.entries):
            raise IllegalAction("action/id_reused")
        return super().act(actor, action, id)


class TellingRepeats(Play[Any, Any]):
    """An id that stood for something else is refused with the number of all that was done."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        try:
            return super().act(actor, action, id)
        except IllegalAction as refused:
            if refused.code != "action/id_reused":
                raise
            raise IllegalAction(refused.code, entries=len(self.entries)) from refused


class SecondRefusals(Play[Any, Any]):
    """A refusal is another one the second time, where the left neighbour is Evil."""

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        was_refused = id in self._refused.get(actor, {})
        try:
            return super().act(actor, action, id)
        except IllegalAction as refused:
            neighbour = (actor + 1) % self.state.setup.seats
            if was_refused and self.state.roles[neighbour] in EVIL_ROLES:
                raise IllegalAction("action/not_now", action="again") from refused
            raise


# Rare roles


def evil_sees_colgrevance(state: Any, card: RoleDealt) -> tuple[Glimpse, ...]:
    if card.role not in EVIL_ROLES or card.role is Role.COLGREVANCE or not card.sees:
        return card.sees
    seats = tuple(seat for seat, role in state.roles.items() if role in EVIL_ROLES and seat != card.seat)
    return (Glimpse(seen_as=card.sees[0].seen_as, seats=seats), *card.sees[1:])


rewriting("thavalon", seats=10)(with_sights(evil_sees_colgrevance))


@rewriting("thavalon", seats=8, clock=False)
def a_window_counts_those_who_go_on_but_for_agravaine(state: Any, events: list[Event]) -> Iterable[Event]:
    yield from events
    went = [seat for seat in state.went_on if not state.is_role(seat, Role.AGRAVAINE)]
    if any(isinstance(event, WentOn) for event in events) and 2 * len(went) == state.setup.seats:
        yield leaked("half of the table has nothing to declare")


@rewriting("saviom", mode="advanced", seats=9)
def the_tap_of_a_seer_can_be_heard(state: Any, events: list[Event]) -> Iterable[Event]:
    yield from events
    if any(isinstance(event, InspectionChosen) for event in events):
        yield leaked("tap")


plant("avalon", "numbers_are_shared_between_listeners", SharedNumbering)
plant("avalon", "a_view_is_the_truth", ViewsOfTheTruth)
plant("saviom", "a_night_ends_early_when_the_wolves_agree", EarlyDawn)
plant("avalon", "a_refusal_names_merlin", TellingRefusals)
plant("avalon", "the_values_of_a_refusal_name_merlin", TellingValues)
plant("saviom", "options_depend_on_the_neighbour", TellingOptions, seats=8)
plant("avalon", "a_drawn_team_depends_on_roles", TellingDice, propose_seconds=5)
plant("avalon", "a_fail_can_be_heard_being_laid", EagerCards)
plant("thavalon", "discarded_votes_are_shown", DiscardedVotesShown, seats=7)
plant("saviom", "private_remarks_take_a_number", RemarksTakeNumbers)
plant("saviom", "a_remark_refused_among_the_wolves_names_them", RefusedAmongWolves)
plant("saviom", "the_truth_awaits_those_with_a_task", with_truth(awaited_with_a_task), mode="advanced")
plant("avalon", "the_truth_awaits_those_with_a_choice", with_truth(awaited_with_a_choice))
plant("thavalon", "the_truth_of_a_window_is_shorter", with_truth(seconds_without_agravaine), seats=9)
plant("avalon", "the_truth_ignores_the_wishes_of_evil", SecretWishes)
plant("saviom", "a_secret_move_sent_again_is_announced", RepeatsAreAnnounced)
plant("avalon", "a_card_sent_again_is_announced", RepeatsAreAnnounced)
plant("saviom", "ids_are_shared_between_seats", SharedIds)
plant("saviom", "a_reused_id_tells_how_much_was_done", TellingRepeats)
plant("avalon", "a_second_refusal_tells_of_the_neighbour", SecondRefusals)
