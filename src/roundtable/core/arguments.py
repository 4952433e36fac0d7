"""What is passed to a public function is of the declared kind, or refused in our own words."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar, get_type_hints

from roundtable.core.errors import Unreadable, shown
from roundtable.core.kinds import check_of, kind_name

P = ParamSpec("P")
T = TypeVar("T")

REST = (Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL)


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse arguments of another kind than the function declares. For rare calls: binding takes time."""
    bind = signature(function).bind

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        kinds = _kinds(function)
        for name, passed in bind(*args, **kwargs).arguments.items():
            if name in kinds:
                require(f"{function.__qualname__}({name})", kinds[name], passed)
        return function(*args, **kwargs)

    return call


def require(place: str, kind: Any, passed: object) -> None:
    """`Unreadable` where this is not of the kind that belongs there."""
    if not check_of(kind)(passed):
        raise Unreadable("text/unreadable", "field", field=place, expected=kind_name(kind), found=shown(passed))


@cache
def _kinds(function: Callable[..., Any]) -> dict[str, Any]:
    """The declared kinds by name; read when they are first needed, since a module may not be complete before."""
    hints = get_type_hints(function)
    named = [one.name for one in signature(function).parameters.values() if one.kind not in REST]
    return {name: hints[name] for name in named if name in hints}
