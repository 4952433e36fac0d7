"""A study's figures, as people read them and as programs do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roundtable.lab.studies import Study, chosen_options
from roundtable.lab.tally import NOBODY, Share, Tally


def whose(bots: tuple[str, ...]) -> str:
    """Whose games they are: figures say something about players, and not about the game alone."""
    if len(set(bots)) == 1:
        return f"{bots[0]} bots"
    if len(bots) == 2:
        return f"{bots[0]} bots as Good against {bots[1]} bots as Evil"
    return f"bots in seat order: {', '.join(bots)}"


def table_in_words(study: Study) -> str:
    options = ", ".join(f"{name}={_said(value)}" for name, value in chosen_options(study.setup).items())
    return f"{study.setup.game}, {study.setup.seats} players{f' ({options})' if options else ''}"


def _said(value: Any) -> str:
    return ",".join(map(str, value)) or "none" if isinstance(value, list) else str(value).lower()


def sides_in(study: Study, tally: Tally) -> list[str]:
    """The sides of the game in its own order, and then any others that have won."""
    known = [str(side) for side in study.kernel.sides]
    return known + sorted({winner for winner, _ in tally.endings} - {*known, NOBODY})


def roles_in(study: Study, tally: Tally) -> list[str]:
    """The roles of the game in its own order, and then any others that were dealt."""
    known = [str(role) for role in study.kernel.roles]
    return known + sorted(set(tally.dealt) - set(known))


def percent(share: Share) -> str:
    """A rate with its interval, to as many places as the number of games deserves."""
    low, high = share.interval
    places = 1 if high - low > 0.002 else 2 if high - low > 0.0002 else 3
    return f"{100 * share.rate:.{places}f} % ({100 * low:.{places}f} to {100 * high:.{places}f})"


def report(study: Study, tally: Tally) -> Iterator[str]:
    sides = [*sides_in(study, tally), NOBODY]
    yield f"{tally.games:,} games of {table_in_words(study)}; {whose(study.bots)}"
    if tally.games == 0:
        return
    yield f"{tally.moves / tally.games:.1f} actions a game; intervals are Wilson's, at 95 %"
    yield ""
    for side in sides:
        if side != NOBODY or tally.wins(side).cases:
            yield f"{side:<22} won  {percent(tally.wins(side))}"
    yield ""
    for (winner, reason), count in sorted(tally.endings.items(), key=lambda ending: sides.index(ending[0][0])):
        yield f"{winner:<10} by {reason:<22} {percent(Share(count, tally.games))}"
    yield ""
    for role in roles_in(study, tally):
        if tally.dealt[role]:
            dealt = 100 * tally.dealt[role] / tally.games
            yield f"{role:<22} won  {percent(tally.role(role))}{f', dealt in {dealt:.1f} %' if dealt < 100 else ''}"


def as_plain(study: Study, tally: Tally) -> dict[str, Any]:
    """The same for programs. Nothing in it depends on how fast it was, or on how many played."""
    return {
        "game": study.setup.game,
        "seats": study.setup.seats,
        "options": chosen_options(study.setup),
        "bots": list(study.bots),
        "whose": whose(study.bots),
        "seed": study.seed,
        "asked": study.games,
        "games": tally.games,
        "is_complete": tally.games == study.games,
        "actions_a_game": tally.moves / tally.games if tally.games else None,
        "wins": {side: share_as_plain(tally.wins(side)) for side in (*sides_in(study, tally), NOBODY)},
        "endings": [
            {"winner": winner, "reason": reason, **share_as_plain(Share(count, tally.games))}
            for (winner, reason), count in sorted(tally.endings.items())
        ],
        "roles": {role: share_as_plain(tally.role(role)) for role in roles_in(study, tally) if tally.dealt[role]},
    }


def share_as_plain(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {"count": share.cases, "out_of": share.out_of, "rate": share.rate, "low": low, "high": high}
