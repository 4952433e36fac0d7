"""A study's figures, as people read them and as programs do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from roundtable.core.catalogue import SOURCE
from roundtable.games import spec_named
from roundtable.lab.studies import Study, chosen_options
from roundtable.lab.tally import NOBODY, Share, Tally
from roundtable.text.names import Names
from roundtable.text.sentences import Sentences


class StudyText(Sentences):
    """Sentences about studies of a game in a language."""

    def __init__(self, game: str, lang: str = SOURCE) -> None:
        super().__init__(spec_named(game), Names(), lang)

    def winner(self, side: str) -> str:
        return self.text("simulation.nobody") if side == NOBODY else self.word(side)

    def reason(self, reason: str) -> str:
        """Why a game ended."""
        return self.catalogue.find(f"outcome.{reason}") or reason.replace("_", " ")

    def bots(self, bots: tuple[str, ...]) -> str:
        """Whose games they are: figures say something about players, and not about the game alone."""
        if len(set(bots)) == 1:
            return self.text("simulation.bots", bot=bots[0])
        if len(bots) == 2:
            first, second = map(self.word, self.spec.game.sides)
            return self.text(
                "simulation.bots_by_side", first_bot=bots[0], first=first, second_bot=bots[1], second=second
            )
        return self.text("simulation.bots_by_seat", bots=", ".join(bots))

    def share(self, share: Share) -> str:
        """A rate with its interval, to as many places as the number of games deserves."""
        low, high = share.interval
        places = 1 if high - low > 0.002 else 2 if high - low > 0.0002 else 3
        rate, low_end, high_end = (f"{100 * figure:.{places}f}" for figure in (share.rate, low, high))
        return self.text("simulation.share", rate=rate, low=low_end, high=high_end)

    def table(self, study: Study) -> str:
        options = ", ".join(f"{name}={self._chosen(value)}" for name, value in chosen_options(study.setup).items())
        key = "simulation.table_options" if options else "lobby.title"
        return self.text(key, game=self.game_name, seats=study.setup.seats, options=options)

    def _chosen(self, value: Any) -> str:
        if isinstance(value, list):
            return ",".join(map(str, value)) or self.text("simulation.no_members")
        return str(value).lower()


def sides_in(study: Study, tally: Tally) -> list[str]:
    """The sides of the game in its own order, and then any others that have won."""
    known = [str(side) for side in study.kernel.sides]
    return known + sorted({winner for winner, _ in tally.endings} - {*known, NOBODY})


def roles_in(study: Study, tally: Tally) -> list[str]:
    """The roles of the game in its own order, and then any others that were dealt."""
    known = [str(role) for role in study.kernel.roles]
    return known + sorted(set(tally.dealt) - set(known))


def report(study: Study, tally: Tally, text: StudyText) -> Iterator[str]:
    sides = [*sides_in(study, tally), NOBODY]
    yield text.text(
        "simulation.title", games=f"{tally.games:,}", table=text.table(study), players=text.bots(study.bots)
    )
    if tally.games == 0:
        return
    yield text.text("simulation.length", moves=f"{tally.moves / tally.games:.1f}")
    yield ""
    for side in sides:
        if side != NOBODY or tally.wins(side).cases:
            yield f"{text.winner(side):<22} {text.text('simulation.won', share=text.share(tally.wins(side)))}"
    yield ""
    for (winner, reason), count in sorted(tally.endings.items(), key=lambda ending: sides.index(ending[0][0])):
        share = text.share(Share(count, tally.games))
        yield f"{text.winner(winner):<10} {share:<24} {text.reason(reason)}"
    yield ""
    for role in roles_in(study, tally):
        if tally.dealt[role]:
            dealt = 100 * tally.dealt[role] / tally.games
            key = "simulation.won_if_dealt" if dealt < 100 else "simulation.won"
            yield f"{text.word(role):<22} {text.text(key, share=text.share(tally.role(role)), dealt=f'{dealt:.1f}')}"


def as_plain(study: Study, tally: Tally) -> dict[str, Any]:
    """The same for programs, in no language. Nothing in it depends on how fast it was, or on how many played."""
    return {
        "game": study.setup.game,
        "seats": study.setup.seats,
        "options": chosen_options(study.setup),
        "bots": list(study.bots),
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
