"""Things by name: those that come with the package, and those that other packages add by entry point."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

from roundtable.core.errors import PluginError

T = TypeVar("T")

logger = logging.getLogger("roundtable.plugins")


def load(reference: str) -> Any:
    """The object behind `package.module:name`, imported now."""
    return resolve_name(reference)


class Plugins(Mapping[str, T], Generic[T]):
    """Names and what they stand for. Each is imported when it is first asked for.

    Built-in names win over entry points of the same name. `PluginError` where an entry point cannot be loaded.
    """

    def __init__(self, group: str, kind: type, built_in: Mapping[str, str]) -> None:
        self.group = group
        self._kind = kind
        self._built_in = built_in
        self._loaded: dict[str, T] = {}

    @cached_property
    def _added(self) -> dict[str, EntryPoint]:
        added: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            if entry.name in self._built_in or entry.name in added:
                logger.warning("%s: the name %r is taken; %s is left out", self.group, entry.name, entry.value)
            else:
                added[entry.name] = entry
        return dict(sorted(added.items()))

    def __getitem__(self, name: str) -> T:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        reference = self._built_in.get(name) or self._added[name].value
        try:
            found = load(reference)
        except Exception as broken:
            reason = f"{type(broken).__name__}: {broken}"
            raise PluginError("plugin/broken", name=repr(name), reference=reference, reason=reason) from broken
        fits = issubclass(found, self._kind) if isinstance(found, type) else isinstance(found, self._kind)
        if not fits:
            expected = self._kind.__name__
            raise PluginError("plugin/wrong_kind", name=repr(name), reference=reference, expected=expected)
        return found  # type: ignore[no-any-return]

    def usable(self) -> dict[str, T]:
        """All that can be loaded; the others are left out with a warning."""
        found: dict[str, T] = {}
        for name in self:
            try:
                found[name] = self[name]
            except PluginError as broken:
                logger.warning("%s: %s", self.group, broken.message)
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self._built_in
        yield from self._added

    def __len__(self) -> int:
        return len(self._built_in) + len(self._added)

    def __contains__(self, name: object) -> bool:
        return name in self._built_in or name in self._added
