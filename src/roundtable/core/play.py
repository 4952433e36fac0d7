"""One game as it is played: a record that grows, the truth it folds to, and what each listener has heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar, get_type_hints

from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action, Move
from roundtable.core.arguments import checked, require
from roundtable.core.chance import SEED_BYTES, Stream, commitment_to, deal_key
from roundtable.core.codec import agreed_bytes
from roundtable.core.conduct import conduct, refuse
from roundtable.core.entries import Entry, Heard
from roundtable.core.errors import BadRecord, IllegalAction, Problem, RoundTableError, SetupError, problem, shown
from roundtable.core.events import Event, Outcome
from roundtable.core.game import Game, Transition, evolve, fold, is_fact
from roundtable.core.kinds import check_of
from roundtable.core.options import Options, require_legal
from roundtable.core.seats import CLOCK, EVERYONE, HOST, NOBODY, SPECTATOR, TABLE, Seat
from roundtable.core.setup import Setup
from roundtable.core.state import Phase, TableState

S = TypeVar("S", bound=TableState)
D = TypeVar("D")


LONGEST_ID = 64
REFUSALS_KEPT = 200  # of each seat


class Play(Generic[S, D]):
    """A table at which one game is played from the opening to the end.

    `act` is the only door: every move, expiry and line of talk goes through it, is appended to `entries`,
    and changes `state`. Listeners get `heard` and `view`, never `state`.
    """

    def __init__(self, game: Game[S, D], entries: Iterable[Entry] = ()) -> None:
        require("Play(game)", Game, game)
        require("Play(entries)", Iterable, entries)
        self.game = game
        self.entries: list[Entry] = list(entries)
        if any(type(entry) is not Entry for entry in self.entries):
            raise BadRecord("record/broken", "game", name=game.name)
        self._events: list[Event] = [event for entry in self.entries for event in entry.events]
        self._accepted: dict[int, dict[str, Entry]] = {}  # by actor and id
        self._refused: dict[int, dict[str, tuple[Action, tuple[Problem, ...]]]] = {}  # by actor and id
        self._heard: dict[int, list[Event]] = {}  # by those who listen
        self._views: dict[int, tuple[int, S]] = {}
        self._seed = b""
        self._key = b""
        if self.entries:
            self._take_up()

    # Opening and dealing

    @classmethod
    def open(cls, game: Game[S, D], setup: Setup, seed: bytes) -> Play[S, D]:
        """Lay a table: publish the commitment, seal the seed."""
        require("Play.open(game)", Game, game)
        if not isinstance(setup, game.setup_type):
            raise SetupError("setup/game", "setup", name=game.name, expected=game.setup_type.__name__)
        setup.require_ready()
        if type(seed) is not bytes or len(seed) != SEED_BYTES:
            raise SetupError("setup/seed", bytes=SEED_BYTES)
        play = cls(game)
        play._seed = seed
        play.state = game.blank(setup)
        now = Transition(game, play.state)
        now.emit(happened.TableOpened(audience=EVERYONE, setup=setup, commitment=commitment_to(seed)))
        now.emit(happened.SeedSealed(audience=NOBODY, seed=seed.hex()))
        play._append(TABLE, ask.OpenTable(), "", now)
        return play

    @checked
    def contribute(self, seat: Seat, entropy: bytes) -> Entry:
        """A player's own randomness, added after the commitment and before the deal."""
        return self.act(seat, ask.Contribute(entropy=entropy.hex()))

    def deal(self, chosen: D | None = None) -> Entry:
        """Deal from the seed, or hand out a deal that was chosen (for studies and tests; the record says so)."""
        if self.is_over:
            refuse("game/over")
        if self.is_dealt:
            refuse("action/not_now", "dealt")
        if chosen is not None and not (is_deal(self.game, chosen) and self.game.can_deal(self.state.setup, chosen)):
            refuse("action/not_allowed", "deal")
        drawn = self.game.deal(self.state.setup, self.chance("deal")) if chosen is None else chosen
        now = Transition(self.game, self.state)
        self.game.begin(now, drawn)
        return self._append(TABLE, ask.DealRoles(chosen=chosen is not None), "", now)

    # The one door

    def act(self, actor: int, action: Action, id: str = "") -> Entry:
        """Do it, or raise `IllegalAction` and change nothing. The same id gets the same answer again."""
        if type(actor) is not int:
            refuse("action/unknown_seat", "number", found=shown(actor))
        if (type(id) is not str or id) and (answer := self._answered(actor, action, id)):
            return answer
        try:
            now = self._unfold(actor, action)
        except IllegalAction as refusal:
            refusal.catalogues = self.game.catalogues
            if id:
                self._remember_refusal(actor, id, action, refusal)
            raise
        return self._append(actor, action, id, now)

    @checked
    def has_done(self, actor: int, action: Action, id: str) -> bool:
        """Whether this very action was done before under this id, so that it is a repeat."""
        accepted = self._accepted.get(actor, {}).get(id)
        return accepted is not None and accepted.action == action

    def expire(self) -> Entry:
        """Time is up for the current phase."""
        return self.act(CLOCK, ask.Expire(phase=self.state.phase.number))

    def _unfold(self, actor: int, action: Action) -> Transition[S]:
        state = self.state
        is_seat = 0 <= actor < state.setup.seats
        if not is_seat and (isinstance(action, Move) or actor not in (CLOCK, HOST)):
            refuse("action/unknown_seat", seat=actor, last=state.setup.seats - 1)
        now = Transition(self.game, state)
        if isinstance(action, Move):
            require_legal(self.options(actor), state, action)
            self.game.decide(now, actor, action)
        elif actor == CLOCK:
            self._expire(now, action)
        elif isinstance(action, ask.Contribute):
            self._contribute(now, actor, action.entropy)
        else:
            conduct(now, actor, action)
        return now

    def _expire(self, now: Transition[S], action: Action) -> None:
        phase = self.state.phase
        if self.is_over:
            refuse("game/over")
        if action != ask.Expire(phase=phase.number):
            refuse("action/late", now=phase.number)
        if not self.state.has_clock or self.state.is_paused:
            refuse("action/no_clock", phase=phase.number)
        self.game.expire(now, self.chance(f"phase/{phase.number}"))

    def _contribute(self, now: Transition[S], seat: int, entropy: str) -> None:
        if self.is_over:
            refuse("game/over")
        if self.is_dealt or seat == HOST:
            refuse("action/not_now", "entropy")
        if any(isinstance(event, happened.EntropyContributed) and event.seat == seat for event in self._events):
            refuse("action/not_now", "entropy_twice")
        if not 32 <= len(entropy) <= 128 or len(entropy) % 2 or not set(entropy) <= set("0123456789abcdef"):
            refuse("action/not_allowed", "entropy")
        now.emit(happened.EntropyContributed(audience=EVERYONE, seat=seat, entropy=entropy))

    def _answered(self, actor: int, action: Action, id: str) -> Entry | None:
        """What was answered to this id before. An id that stood for another action is refused."""
        if type(id) is not str or len(id) > LONGEST_ID or not (id.isascii() and id.isprintable()):
            refuse("action/bad_id", most=LONGEST_ID)
        if (refused := self._refused.get(actor, {}).get(id)) and refused[0] == action:
            raise IllegalAction.of(refused[1], self.game.catalogues)
        accepted = self._accepted.get(actor, {}).get(id)
        if accepted and accepted.action == action:
            return accepted
        if refused or accepted:
            refuse("action/id_reused")
        return None

    def _remember_refusal(self, actor: int, id: str, action: Action, refusal: IllegalAction) -> None:
        """The latest refusals of each seat are kept, so that a repeat gets the same answer. They are in no record."""
        kept = self._refused.setdefault(actor, {})
        if len(kept) >= REFUSALS_KEPT:
            del kept[next(iter(kept))]
        kept[id] = (action, refusal.problems)

    def _append(self, actor: int, action: Action, id: str, now: Transition[S]) -> Entry:
        if now.state.outcome is not None and self.entries and not self.is_over:
            now.emit(self._secrets_revealed(now.events))
        entry = Entry(actor, action, id, tuple(now.events))
        self.state = now.state
        self._keep(entry)
        return entry

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._events.extend(entry.events)
        for event in entry.events:
            self._tell(event)
        if entry.id:
            self._accepted.setdefault(entry.actor, {})[entry.id] = entry

    def _tell(self, event: Event) -> None:
        audience = event.audience
        if audience is EVERYONE:
            for heard in self._heard.values():
                heard.append(event)
            return
        for listener, heard in self._heard.items():
            if listener in audience:
                heard.append(event)

    def _secrets_revealed(self, latest: list[Event]) -> Event:
        facts = [event for event in (*self._events, *latest) if is_fact(event)]
        hidden = tuple([(place, event) for place, event in enumerate(facts) if event.audience is not EVERYONE])
        return happened.SecretsRevealed(audience=EVERYONE, secret_facts=hidden)

    # What can be known

    @property
    def phase(self) -> Phase:
        return self.state.phase

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    @property
    def is_dealt(self) -> bool:
        return self.state.phase.number > 0

    @property
    def is_over(self) -> bool:
        return self.state.outcome is not None

    @property
    def events(self) -> tuple[Event, ...]:
        """The whole record in order; for the room alone."""
        return tuple(self._events)

    def options(self, seat: Seat) -> Options:
        state = self.state
        if seat.__class__ is not int:
            refuse("action/unknown_seat", "number", found=shown(seat))
        is_in_play = state.phase.number and state.outcome is None and 0 <= seat < state.setup.seats
        return self.game.options(state, seat) if is_in_play else ()

    def heard(self, listener: int, after: int = 0) -> list[Heard]:
        """What a seat or SPECTATOR has heard since their own number `after`."""
        require("Play.heard(after)", int, after)
        return [Heard(number, event) for number, event in enumerate(self.events_for(listener)[after:], after + 1)]

    def view(self, listener: int, heard: int | None = None) -> S:
        """All that this listener can know: the fold of what they heard, or of the first so many events of it, and
        nothing else. It is theirs to keep. Views that only go forward are made from one another."""
        require("Play.view(heard)", int | None, heard)
        events = self.events_for(listener)
        end = len(events) if heard is None else max(1, min(heard, len(events)))
        read, state = self._views.get(listener) or (0, None)
        if state is None or read > end:
            view = fold(self.game, events[:end])
        else:
            view = evolve(self.game, state, events[read:end])
        self._views[listener] = (end, view)
        return view.writable_copy()

    def events_for(self, listener: int) -> Sequence[Event]:
        """Everything that a listener has heard; the first of it is number 1. It grows as the game goes on."""
        if listener.__class__ is not int:
            refuse("action/unknown_seat", "number", found=shown(listener))
        events = self._heard.get(listener)
        if events is None:
            if not SPECTATOR <= listener < self.state.setup.seats:
                refuse("action/unknown_seat", seat=listener, last=self.state.setup.seats - 1)
            events = self._heard[listener] = _heard_by(listener, self._events)
        return events

    # Randomness and records

    @checked
    def chance(self, label: str) -> Stream:
        """The table's randomness under a label; it depends on nothing that happens in the game."""
        if not self._key or not self.is_dealt:  # until the deal, players may still contribute
            contributions = [
                (event.seat, event.entropy) for event in self._events if isinstance(event, happened.EntropyContributed)
            ]
            self._key = deal_key(self._seed, agreed_bytes(self.state.setup), sorted(contributions))
        return Stream(self._key, label)

    def _take_up(self) -> None:
        """Stand where a record stands."""
        try:
            self.state = fold(self.game, self._events)
        except (ValueError, KeyError, AssertionError) as broken:
            raise BadRecord("record/broken", "game", name=self.game.name) from broken
        for event in self._events:
            if isinstance(event, happened.SeedSealed):
                self._seed = bytes.fromhex(event.seed)
        for entry in self.entries:
            if entry.id:
                self._accepted.setdefault(entry.actor, {})[entry.id] = entry


def is_deal(game: Game[S, D], chosen: object) -> bool:
    """Whether this is of the kind that the game deals; a game that does not declare it is asked alone."""
    try:
        kind = get_type_hints(type(game).deal).get("return", Any)
    except NameError:  # a name that only a type checker knows
        return True
    return check_of(kind)(chosen)


def _heard_by(listener: int, events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.audience is EVERYONE or listener in event.audience]


@checked
def replay(game: Game[S, D], entries: Iterable[Entry], first_line: int = 1) -> Play[S, D]:
    """Play a record again, action by action, and insist that every line comes out the same (C3).

    `BadRecord` names the line that does not; `first_line` is the number of the first one.
    """
    again: Play[S, D] | None = None
    for line, entry in enumerate(entries, first_line):
        if not isinstance(entry, Entry):
            raise BadRecord("record/broken", "misfit", line=line)
        try:
            again = _redo(game, again, entry)
        except RoundTableError as refusal:
            raise BadRecord.of(at_line(line, refusal), game.catalogues) from refusal
        except (ValueError, KeyError, StopIteration) as misfit:
            raise BadRecord("record/broken", "misfit", line=line) from misfit
        if len(again.entries) != line - first_line + 1 or again.entries[-1] != entry:
            raise BadRecord("record/broken", "misfit", line=line)
    if again is None:
        raise BadRecord("record/broken", "empty")
    return again


def at_line(line: int, refusal: RoundTableError) -> tuple[Problem, ...]:
    """What is wrong with a line of a record."""
    return (problem("record/broken", "line", line=line), *refusal.problems)


def _redo(game: Game[S, D], play: Play[S, D] | None, entry: Entry) -> Play[S, D]:
    if play is None:
        match entry.events:
            case (happened.TableOpened(setup=setup), happened.SeedSealed(seed=seed)):
                return Play.open(game, setup, bytes.fromhex(seed))
        raise ValueError("A record begins with an opened table and a sealed seed.")
    if isinstance(entry.action, ask.DealRoles):
        play.deal(game.read_deal(entry.events) if entry.action.chosen else None)
    else:
        play.act(entry.actor, entry.action, entry.id)
    return play
