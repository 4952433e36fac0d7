"""Fit the model of people and write the file that is shipped: `python -m benchmarks.people.fit` (needs LightGBM).

Only training games are read. What is read off the likelihoods of people's acts (Merlin, shots) is fitted on games that
those likelihoods have not seen: the acts are fitted on a first part for the shots of the second, and then on both.
Features are kept in build/people, so that an interrupted fit goes on; `--afresh` computes them again.
"""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

import roundtable.games.avalon.people
from benchmarks.people.boosting import SetChoice, binary, of_sets, packed
from benchmarks.people.games import HumanGame, fold_of, games_path, read_games
from roundtable.games.avalon.people.features import card_features, proposal_features, suspect_features, vote_features
from roundtable.games.avalon.people.history import Flags, Floats
from roundtable.games.avalon.people.model import FILE, PeopleModel
from roundtable.games.avalon.people.readings import deals_for_assassin, merlin_base, merlin_rows
from roundtable.games.avalon.people.trees import Forest
from roundtable.games.avalon.people.views import MERLIN, MINION, views_in

FOLDS, FIRST_FOLDS = 5, 3
PARTS = ("first", "second")
KEPT = Path("build/people")
SHIPPED = Path(roundtable.games.avalon.people.__file__).with_name(FILE)


class Rows(NamedTuple):
    """Features of one kind of choice, and what was chosen, a pair of arrays for each choice or group of choices."""

    features: list[Floats]
    chosen: list[Floats]
    bases: list[Floats]

    def add(self, features: Floats, chosen: Floats | Flags, base: Floats | None = None) -> None:
        self.features.append(features.astype(np.float32))
        self.chosen.append(chosen.astype(float))
        if base is not None:
            self.bases.append(base)

    def table(self) -> Floats:
        return np.concatenate(self.features)


def no_rows() -> Rows:
    return Rows([], [], [])


def told(text: str) -> None:
    print(f"{time.process_time():6.0f} s of CPU time: {text}", file=sys.stderr, flush=True)


def choices_in(games: Sequence[HumanGame]) -> dict[str, Rows]:
    """What people chose, with what they knew."""
    rows = {kind: no_rows() for kind in ("votes", "proposals", "cards", "suspects")}
    for place, game in enumerate(games):
        if place % 500 == 0:
            told(f"features of game {place} of {len(games)}")
        add_choices(rows, game)
    return rows


def add_choices(rows: dict[str, Rows], game: HumanGame) -> None:
    views = views_in(game.deal)
    for count, poll in enumerate(game.polls):
        now = game.before_vote(count)
        rows["votes"].add(vote_features(now, views), np.array(poll.ballots))
        leader = views[np.array([poll.proposal.leader])]
        rows["proposals"].add(proposal_features(now, leader), now.team)
    for result, failed in zip(game.results, game.failed, strict=True):
        evil = np.array([seat for seat in sorted(result.team) if views.is_evil[seat]], int)
        if len(evil):
            rows["cards"].add(card_features(game.on_quest(result.quest), views[evil]), np.isin(evil, list(failed)))
        after = game.after_quest(result.quest)
        base = np.log(np.maximum(after.weights, 1e-300))
        rows["suspects"].add(suspect_features(after), game.deal >= MINION, base)


def acts(rows: dict[str, Rows]) -> dict[str, Forest]:
    """How people vote, propose and play cards."""
    votes, proposals, cards = rows["votes"], rows["proposals"], rows["cards"]
    forests = {"votes": binary(votes.table(), np.concatenate(votes.chosen), 120, leaves=31, rate=0.1, least=80)}
    told("votes fitted")
    forests["proposals"] = of_sets(
        proposals.table(), SetChoice(proposals.chosen), 90, leaves=15, rate=0.12, least=80, share=0.6
    )
    told("proposals fitted")
    forests["cards"] = binary(cards.table(), np.concatenate(cards.chosen), 100, leaves=8, rate=0.06, least=50)
    told("cards fitted")
    return forests


def suspects(rows: Rows) -> Forest:
    choice = SetChoice(rows.chosen, rows.bases)
    return of_sets(rows.table(), choice, 150, leaves=15, rate=0.06, least=50, share=0.6)


def aims(model: PeopleModel, games: Sequence[HumanGame]) -> tuple[Rows, Rows]:
    """Who was Merlin, and whom people shot, beside what a model of their acts says."""
    merlin, shot = no_rows(), no_rows()
    aimed = [game for game in games if game.shot is not None]
    for place, game in enumerate(aimed):
        if place % 200 == 0:
            told(f"shot {place} of {len(aimed)}")
        add_shot(model, game, merlin, shot)
    return merlin, shot


def shots(merlin: Rows, shot: Rows) -> dict[str, Forest]:
    """Trees that correct the chances of a model of acts."""
    size = {"leaves": 4, "rate": 0.05, "least": 60}
    return {
        "merlin": of_sets(merlin.table(), SetChoice(merlin.chosen, merlin.bases), 50, **size),
        "shots": of_sets(shot.table(), SetChoice(shot.chosen, shot.bases), 80, **size),
    }


def add_shot(model: PeopleModel, game: HumanGame, merlin: Rows, shot: Rows) -> None:
    assert game.assassin is not None
    past, good = game.at_end(), np.flatnonzero(game.deal < MINION)
    evil = frozenset(np.flatnonzero(game.deal >= MINION).tolist())
    role = int(game.deal[game.assassin])
    base = merlin_base(model, past, deals_for_assassin(past, evil, game.assassin, role))
    features, logs = merlin_rows(past, good, base, role)
    merlin.add(features, game.deal[good] == MERLIN, logs)
    if game.shot in good:
        shot.add(features, good == game.shot, logs)


def kept_choices(name: str, games: Sequence[HumanGame]) -> dict[str, Rows]:
    """The features of these games, computed or read."""
    path = KEPT / f"{name}.pickle"
    if path.exists():
        found: dict[str, Rows] = pickle.loads(path.read_bytes())
        return found
    rows = choices_in(games)
    KEPT.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(rows))
    return rows


def part_of(game: HumanGame) -> str:
    return "first" if fold_of(game.id, FOLDS) < FIRST_FOLDS else "second"


def both(one: Rows, other: Rows) -> Rows:
    return Rows(*[[*part, *more] for part, more in zip(one, other, strict=True)])


def crossed() -> tuple[Rows, Rows]:
    """The acts fitted on the first part, and the shots of the second part beside them."""
    games = read_games(games_path(), test=False)
    first, second = ([game for game in games if part_of(game) == name] for name in PARTS)
    return aims(PeopleModel(acts(kept_choices(PARTS[0], first))), second)


def whole() -> dict[str, Forest]:
    """Acts and suspects, fitted on both parts."""
    games = read_games(games_path(), test=False)
    first, second = (kept_choices(name, [game for game in games if part_of(game) == name]) for name in PARTS)
    rows = {kind: both(first[kind], second[kind]) for kind in first}
    return acts(rows) | {"suspects": suspects(rows["suspects"])}


def main() -> None:
    games = read_games(games_path(), test=False)
    told(f"{len(games)} training games")
    for name in PARTS:
        if "--afresh" in sys.argv:
            (KEPT / f"{name}.pickle").unlink(missing_ok=True)
        kept_choices(name, [game for game in games if part_of(game) == name])
    with ProcessPoolExecutor(2) as pool:
        aimed, fitted = pool.submit(crossed), pool.submit(whole)
        forests = shots(*aimed.result()) | fitted.result()
    np.savez_compressed(SHIPPED, **packed(forests))  # type: ignore[arg-type]
    told(f"{SHIPPED.name} written, {SHIPPED.stat().st_size} bytes")


if __name__ == "__main__":
    main()
