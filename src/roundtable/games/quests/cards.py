"""The cards of both quest games: whom a role sees, what it is told, and how much that can be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import ClassVar

from roundtable.core.catalogue import as_key
from roundtable.core.events import Event
from roundtable.core.seats import NOBODY, Seat
from roundtable.games.quests.events import LeaderNamed, RoleDealt
from roundtable.games.quests.roles import Glimpse, Role, Sight
from roundtable.text.cards import Cards, largest


class QuestCards(Cards):
    """A6 to A9, T6 to T13."""

    sights: ClassVar[tuple[Sight, ...]]

    def knowledge(self, seat: Seat, heard: Iterable[Event]) -> Iterable[str]:
        return next(self.told_with(event) for event in heard if isinstance(event, RoleDealt))

    def told_with(self, dealt: RoleDealt) -> Iterator[str]:
        """What a role is told. Players come in seat order, so that their order gives nothing away."""
        seen = sorted((seat, glimpse.seen_as) for glimpse in dealt.sees for seat in glimpse.seats)
        for seat, what in seen:
            yield self.text("card.seen", context=as_key(what), name=self.names[seat], what=self.word(what))
        if dealt.sees and not seen:
            yield self.text("card.sees_nobody")
        yield from (self.word(role) for role in dealt.roles_in_game)
        yield from (self.text(f"notice.{notice}") for notice in dealt.notices)
        if dealt.is_assassin and dealt.role is not Role.ASSASSIN:
            yield self.text("card.assassin")

    def start(self, heard: Iterable[Event]) -> str:
        leader = next(event.seat for event in heard if isinstance(event, LeaderNamed))
        return self.text("card.leads", name=self.names[leader])

    # How large a card can become

    def size(self) -> int:
        return largest(self.lay_out(dealt.seat, dealt.role, self.told_with(dealt)) for dealt in self.fullest())

    def fullest(self) -> Iterator[RoleDealt]:
        """What each role could be told at most: all that it may see, under the longest names; or nothing at all."""
        pool = tuple(Role(role) for role in self.setup.possible_roles)
        longest = self.by_length()
        for role in dict.fromkeys(pool):
            others = list(pool)
            others.remove(role)
            rows = [row for row in self.sights if role in row.viewers]
            crowd = [Glimpse(seen_as=row.seen_as, seats=tuple(longest[: most_seen(row, others)])) for row in rows]
            nobody = [Glimpse(seen_as=row.seen_as, seats=()) for row in rows]
            for sees in (crowd, nobody):
                yield RoleDealt(
                    audience=NOBODY,
                    seat=longest[-1],
                    role=role,
                    sees=tuple(sees),
                    roles_in_game=self.roles_known_to(role, pool),
                    notices=self.notices_to(role, pool),
                    is_assassin=role in self.assassins(),
                )

    def assassins(self) -> Collection[Role]:
        """The roles that may have the Assassin's duty besides."""
        return ()

    def roles_known_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[Role, ...]:
        """The roles that this one is told to be in the game, where all that are possible are."""
        return ()

    def notices_to(self, role: Role, pool: tuple[Role, ...]) -> tuple[str, ...]:
        """What else this role is told, where all roles that are possible are in the game."""
        return ()


def most_seen(row: Sight, others: Iterable[Role]) -> int:
    return sum(role in row.seen for role in others)
