"""What an arena found: win rates of teams and guests, differences by deal, strengths, and forfeits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from roundtable.lab.arena.bootstrap import Estimate, Resampled, Statistic, estimate_of, resample
from roundtable.lab.arena.fixtures import GUESTS, TEAMS
from roundtable.lab.arena.results import Results
from roundtable.lab.arena.scores import FaultCount, Floats, Scores
from roundtable.lab.arena.strengths import fit
from roundtable.lab.arena.study import ArenaStudy
from roundtable.lab.studies import chosen_options

Side = int | None  # None for both sides together
TeamKey = tuple[str, str, int]  # the bots of both sides, and the side whose wins are counted
PairKey = tuple[str, str, Side]
SIDES: tuple[Side, ...] = (None, 0, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Every figure with its interval. A contest that was not played, or of which no deal is finished, has none."""

    study: ArenaStudy
    deals: int
    teams: dict[TeamKey, Estimate]
    strengths: dict[tuple[str, int], Estimate]  # by bot and side
    differences: dict[PairKey, Estimate]  # how much more the first bot won than the second, against the same teams
    guests: dict[PairKey, Estimate]  # by guest, hosts and side
    gains: dict[PairKey, Estimate]  # how much more the guest won than its hosts do in the same seats
    faults: dict[str, FaultCount]

    @property
    def sides(self) -> tuple[str, str]:
        first, second = self.study.kernel.sides
        return first, second

    def plain(self) -> dict[str, Any]:
        """The same for programs, in no language; nothing in it depends on speed or the number of processes."""
        study, bots = self.study, self.study.bots
        return {
            "game": study.setup.game,
            "seats": study.setup.seats,
            "options": chosen_options(study.setup),
            "sides": list(self.sides),
            "bots": list(bots),
            "programs": {name: list(command) for name, command in study.commands},
            "contests": list(study.contests),
            "seed": study.seed,
            "asked": study.deals,
            "deals": self.deals,
            "games": self.deals * len(study.fixtures),
            "is_complete": self.deals == study.deals,
            "teams": [
                {"first": one, "second": other, **self._by_side(self.teams, one, other)}
                for one in bots
                for other in bots
                if (one, other, 0) in self.teams
            ],
            "strengths": [
                {"bot": bot, **{name: self.strengths[bot, side].plain() for side, name in enumerate(self.sides)}}
                for bot in bots
                if self.strengths
            ],
            "differences": self._pairs(self.differences, "bot", "other"),
            "guests": self._pairs(self.guests, "guest", "hosts"),
            "gains": self._pairs(self.gains, "guest", "hosts"),
            "faults": [
                {"bot": bot, "seats": found.seats, "forfeits": found.forfeits, **found.by_fault}
                for bot, found in self.faults.items()
            ],
        }

    def _pairs(self, figures: dict[PairKey, Estimate], one: str, other: str) -> list[dict[str, Any]]:
        pairs = dict.fromkeys([key[:2] for key in figures])
        return [{one: pair[0], other: pair[1], **self._by_side(figures, *pair)} for pair in pairs]

    def _by_side(self, figures: Any, one: str, other: str) -> dict[str, Any]:
        names: dict[Side, str] = {None: "both", 0: self.sides[0], 1: self.sides[1]}
        return {names[side]: figures[one, other, side].plain() for side in names if (one, other, side) in figures}


def summarise(results: Results) -> Summary:
    scores = Scores(results)
    parts: dict[str, dict[Any, Statistic]] = {
        "teams": dict(_teams(scores)),
        "differences": dict(_differences(scores)),
        "guests": dict(_guests(scores)),
        "gains": dict(_gains(scores)),
    }
    statistics = {(name, *key): one for name, part in parts.items() for key, one in part.items()}
    resampled = resample(statistics, scores.deals, results.study.dice)
    figures: dict[str, Any] = {
        name: {key: resampled[name, *key].estimate for key in part} for name, part in parts.items()
    }
    return Summary(
        study=results.study,
        deals=scores.deals,
        strengths=_strengths(scores, {key: resampled["teams", *key] for key in parts["teams"]}),
        faults={bot: scores.faults(bot) for bot in results.study.bots},
        **figures,
    )


def _teams(scores: Scores) -> Iterator[tuple[TeamKey, Statistic]]:
    if scores.has(TEAMS):
        bots = scores.study.bots
        for first, second, side in ((one, other, side) for one in bots for other in bots for side in (0, 1)):
            yield (first, second, side), _mean(scores.team_won(first, second, side))


def _differences(scores: Scores) -> Iterator[tuple[PairKey, Statistic]]:
    """Both bots against each team of the other side in turn, with the same deals."""
    if not scores.has(TEAMS):
        return
    for bot, other in combinations(scores.study.bots, 2):
        by_side = [_on_side(scores, bot, side) - _on_side(scores, other, side) for side in (0, 1)]
        for side in SIDES:
            values = (by_side[0] + by_side[1]) / 2 if side is None else by_side[side]
            yield (bot, other, side), _mean(values, is_difference=True)


def _on_side(scores: Scores, bot: str, side: int) -> Floats:
    """By deal: the share that the bot won on this side, over all bots that played the other side."""
    games = [(bot, other) if side == 0 else (other, bot) for other in scores.study.bots]
    share: Floats = np.mean([scores.team_won(*game, side) for game in games], axis=0)
    return share


def _guests(scores: Scores) -> Iterator[tuple[PairKey, Statistic]]:
    if scores.has(GUESTS):
        for (guest, hosts), side in ((pair, side) for pair in scores.pairs for side in SIDES):
            yield (guest, hosts, side), _by_seat(scores, scores.guest_won(guest, hosts), side)


def _gains(scores: Scores) -> Iterator[tuple[PairKey, Statistic]]:
    if scores.has(GUESTS):
        for (guest, hosts), side in ((pair, side) for pair in scores.pairs for side in SIDES):
            more = scores.guest_won(guest, hosts) - scores.guest_won(hosts, hosts)
            yield (guest, hosts, side), _by_seat(scores, more, side, is_difference=True)


def _mean(values: Floats, is_difference: bool = False) -> Statistic:
    return Statistic(values, np.ones_like(values), is_difference)


def _by_seat(scores: Scores, values: Floats, side: Side, is_difference: bool = False) -> Statistic:
    counts = scores.seats_on(side)
    return Statistic((values * counts).sum(axis=1), counts.sum(axis=1), is_difference)


def _strengths(scores: Scores, teams: dict[TeamKey, Resampled]) -> dict[tuple[str, int], Estimate]:
    """A game that no one won counts as half a win for each side."""
    if not teams:
        return {}
    bots, deals = scores.study.bots, scores.deals
    first, second = (_matrix(bots, teams, side) for side in (0, 1))
    undecided = (1 - first - second) / 2
    fitted = fit(deals * (first + undecided), deals * (second + undecided))
    return {
        (bot, side): estimate_of(fitted[0, side, place], fitted[1:, side, place])
        for side in (0, 1)
        for place, bot in enumerate(bots)
    }


def _matrix(bots: tuple[str, ...], teams: dict[TeamKey, Resampled], side: int) -> Floats:
    """The share that the side won by first and second bot: over all deals, and then in each resample."""
    rows = [[(teams[one, other, side].value, *teams[one, other, side].draws) for other in bots] for one in bots]
    return np.moveaxis(np.array(rows), -1, 0)
