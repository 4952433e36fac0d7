"""What a leader, a voter and a team member may choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from roundtable.core.actions import Move
from roundtable.core.chance import Chance, pick
from roundtable.core.options import Invitation, OneOf, Options, SeatsChoice
from roundtable.core.seats import Seat
from roundtable.games.quests.actions import CastVote, PlayCard, ProposeTeam
from roundtable.games.quests.roles import Card


@lru_cache(maxsize=1024)
def teams(eligible: tuple[Seat, ...], size: int) -> tuple[frozenset[Seat], ...]:
    """Every team of that size, in the order of its seats."""
    return tuple(frozenset(team) for team in combinations(eligible, size))


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamChoice(SeatsChoice):
    """Every team a leader may name: which quest, who goes, who carries Excalibur."""

    phase: int
    eligible: tuple[Seat, ...]
    sizes: tuple[tuple[int | None, int], ...]  # (quest to name, its team size)
    excalibur_not: Seat | None = None  # the leader, where Excalibur is in play: it goes to another member

    @property
    def kind(self) -> type[Move]:
        return ProposeTeam

    @property
    def bearer_not(self) -> Seat | None:
        return self.excalibur_not

    def choose(self, seats: frozenset[Seat], number: int | None = None, bearer: Seat | None = None) -> Move:
        return ProposeTeam(phase=self.phase, team=seats, quest=number, excalibur=bearer)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, ProposeTeam) or action.phase != self.phase:
            return False
        return (
            (action.quest, len(action.team)) in self.sizes
            and action.team <= set(self.eligible)
            and action.excalibur in self.holders(action.team)
        )

    def holders(self, team: frozenset[Seat]) -> tuple[Seat | None, ...]:
        if self.excalibur_not is None:
            return (None,)
        return tuple(sorted(team - {self.excalibur_not}))

    def __iter__(self) -> Iterator[Move]:
        for quest, size in self.sizes:
            for team in teams(self.eligible, size):
                for holder in self.holders(team):
                    yield ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder)

    def __len__(self) -> int:
        return sum(len(self.holders(team)) for _, size in self.sizes for team in teams(self.eligible, size))

    def sample(self, chance: Chance) -> Move:
        quest, size = self.sizes[0] if len(self.sizes) == 1 else pick(chance, self.sizes)
        return self.sample_for(quest, size, chance)

    def sample_for_lowest_quest(self, chance: Chance) -> Move:
        """The team drawn for a leader who named none (C5)."""
        return self.sample_for(*self.sizes[0], chance)

    def sample_for(self, quest: int | None, size: int, chance: Chance) -> Move:
        team = pick(chance, teams(self.eligible, size))
        holder = None if self.excalibur_not is None else pick(chance, self.holders(team))
        return ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder)

    def odds(self) -> Iterator[tuple[Move, Fraction]]:
        """Each quest alike, then each team for it, then each who may carry Excalibur: not every choice alike."""
        for quest, size in self.sizes:
            named = teams(self.eligible, size)
            for team in named:
                holders = self.holders(team)
                chance = Fraction(1, len(self.sizes) * len(named) * len(holders))
                for holder in holders:
                    yield ProposeTeam(phase=self.phase, team=team, quest=quest, excalibur=holder), chance

    def invitation(self) -> Invitation:
        values = {"seats": list(self.eligible), "sizes": [list(size) for size in self.sizes]}
        is_named = self.sizes[0][0] is not None
        if self.excalibur_not is not None:
            return Invitation(
                "quest_excalibur" if is_named else "team_excalibur", {"count": self.sizes[0][1], **values}
            )
        return Invitation("quest" if is_named else "team", {"count": self.sizes[0][1], **values})


@lru_cache(maxsize=4096)
def ballot(phase: int) -> Options:
    return (OneOf(actions=(CastVote(phase=phase, approve=True), CastVote(phase=phase, approve=False))),)


@lru_cache(maxsize=4096)
def hand(phase: int, cards: tuple[Card, ...]) -> Options:
    """One of these cards is to be played (A17, T17)."""
    return (OneOf(actions=tuple(PlayCard(phase=phase, card=card) for card in cards)),)
