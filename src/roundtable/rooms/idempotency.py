"""What each member asked for and did, by the id they gave it, so that a repeat gets the same answer."""

from __future__ import annotations

from typing import Generic, TypeVar

IDS_KEPT = 256  # of each member, the latest; nobody waits for so many answers at a time

T = TypeVar("T")


class IdempotencyCache(Generic[T]):
    """Something for each id. What is long past goes, and so does all of somebody who has left."""

    def __init__(self) -> None:
        self._by_member: dict[int, dict[str, T]] = {}

    def get(self, member: int | None, id: str) -> T | None:
        return self._by_member.get(member or 0, {}).get(id)

    def keep(self, member: int, id: str, what: T) -> None:
        kept = self._by_member.setdefault(member, {})
        kept[id] = what
        if len(kept) > IDS_KEPT:
            del kept[next(iter(kept))]

    def forget(self, member: int) -> None:
        self._by_member.pop(member, None)

    def __len__(self) -> int:
        return sum(map(len, self._by_member.values()))
