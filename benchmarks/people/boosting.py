"""LightGBM's trees, for one choice of two or for one set of several; needs `pip install lightgbm`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from roundtable.games.avalon.people.history import Floats
from roundtable.games.avalon.people.trees import PARTS, Forest


def lightgbm() -> Any:
    try:
        import lightgbm as package
    except ModuleNotFoundError:
        raise SystemExit("The fit needs LightGBM: pip install lightgbm (the model itself does not).") from None
    return package


def settings(*, leaves: int, rate: float, least: int, share: float = 0.5) -> dict[str, Any]:
    return {
        "num_leaves": leaves,
        "learning_rate": rate,
        "min_data_in_leaf": least,
        "feature_fraction": share,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "max_bin": 127,
        "use_missing": False,
        "num_threads": 1,
        "deterministic": True,
        "seed": 1,
        "verbose": -1,
    }


def binary(rows: Floats, truth: Floats, rounds: int, **chosen: Any) -> Forest:
    """Trees whose sum is the log-odds of a choice of two."""
    package = lightgbm()
    told = {**settings(**chosen), "objective": "binary"}
    return forest_of(package.train(told, package.Dataset(rows.astype(np.float32), truth), rounds))


class SetChoice:
    """Choices of one set of seats each. A seat has a score; the chance of a set is a softmax of its sum and a base."""

    def __init__(self, truths: Sequence[Floats], bases: Sequence[Floats] | None = None) -> None:
        self.count = len(truths)
        self.starts = np.concatenate([[0], np.cumsum([len(truth) for truth in truths])])
        self.parts = []
        shapes = [(len(truth), int(truth.sum())) for truth in truths]
        for shape in sorted({*shapes}):
            where = np.array([place for place, other in enumerate(shapes) if other == shape])
            sets = sets_of(*shape)
            truth = np.array([truths[place] for place in where])
            base = np.zeros((len(where), len(sets))) if bases is None else np.array([bases[place] for place in where])
            self.parts.append((where, sets, self.starts[where][:, None] + np.arange(shape[0]), truth, base))

    def slopes(self, scores: Floats) -> tuple[Floats, Floats]:
        """The gradient of the surprise, and a bound of its second derivative, by row."""
        slope, bend = np.zeros(self.starts[-1]), np.ones(self.starts[-1])
        for _, sets, rows, truth, base in self.parts:
            chance = softmax(scores[rows] @ sets.T + base) @ sets
            slope[rows] = chance - truth
            bend[rows] = np.maximum(chance * (1 - chance), 1e-3)
        return slope, bend

    def bits(self, scores: Floats) -> Floats:
        """The surprise at each choice."""
        found = np.zeros(self.count)
        for where, sets, rows, truth, base in self.parts:
            chances = softmax(scores[rows] @ sets.T + base)
            true = (truth @ sets.T == truth.sum(axis=1, keepdims=True)).argmax(axis=1)
            found[where] = -np.log2(np.maximum(chances[np.arange(len(where)), true], 1e-12))
        return found


def sets_of(seats: int, size: int) -> Floats:
    chosen = np.array(list(combinations(range(seats), size)), int)
    sets = np.zeros((len(chosen), seats))
    sets[np.arange(len(chosen))[:, None], chosen] = 1
    return sets


def softmax(scores: Floats) -> Floats:
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def of_sets(rows: Floats, choice: SetChoice, rounds: int, **chosen: Any) -> Forest:
    """Trees whose sum is the score of a seat in a choice of sets."""
    package = lightgbm()
    told = {**settings(**chosen), "objective": lambda scores, _: choice.slopes(scores)}
    return forest_of(package.train(told, package.Dataset(rows.astype(np.float32), np.zeros(len(rows))), rounds))


def forest_of(booster: Any) -> Forest:
    """The trees of a booster as arrays."""
    nodes: dict[str, list[float]] = {part: [] for part in PARTS}
    for tree in booster.dump_model()["tree_info"]:
        nodes["roots"].append(added(nodes, tree["tree_structure"]))
    return Forest.read({f"x_{part}": np.array(values) for part, values in nodes.items()}, "x")


def added(nodes: dict[str, list[float]], node: dict[str, Any]) -> int:
    """Append a node and those below; its place."""
    place = len(nodes["feature"])
    is_leaf = "split_feature" not in node
    nodes["feature"].append(0 if is_leaf else node["split_feature"])
    nodes["threshold"].append(0.0 if is_leaf else node["threshold"])
    nodes["value"].append(node["leaf_value"] if is_leaf else 0.0)
    nodes["left"].append(place)
    nodes["right"].append(place)
    if not is_leaf:
        nodes["left"][place] = added(nodes, node["left_child"])
        nodes["right"][place] = added(nodes, node["right_child"])
    return place


def packed(forests: dict[str, Forest]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of a file: small kinds of numbers, thresholds and values rounded to what matters."""
    kinds = {"feature": np.uint8, "threshold": np.float32, "value": np.float32}
    return {
        f"{name}_{part}": getattr(forest, part).astype(kinds.get(part, np.uint16))
        for name, forest in forests.items()
        for part in PARTS
    }
