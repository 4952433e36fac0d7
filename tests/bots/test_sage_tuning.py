"""The script that tunes the sage: it goes on where it stopped, and writes the package's file."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from benchmarks.sage import tune

from roundtable.games.quests.sage import parameters
from roundtable.games.quests.sage.parameters import PARAMETERS, Parameters


def test_parameters_are_numbers_and_back() -> None:
    again = tune.from_vector(PARAMETERS, tune.as_vector(PARAMETERS))
    assert np.allclose(tune.as_vector(again), tune.as_vector(PARAMETERS))
    assert replace(again, kinds=PARAMETERS.kinds) == PARAMETERS


def test_the_file_of_the_package_is_one_that_the_script_writes() -> None:
    text = (files(parameters.__package__) / parameters.FILE).read_text("utf-8")
    assert text == tune.as_text(PARAMETERS)


def test_tuning_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Parameters] = []

    def worth(chosen: Parameters, seats: int, games: int) -> float:
        asked.append(chosen)
        return chosen.doubt - chosen.ballot

    monkeypatch.setattr(tune, "worth", worth)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    tune.main(["--steps", "6", "--log", str(whole)])
    for steps in ("2", "6"):
        tune.main(["--steps", steps, "--log", str(parts)])
    assert whole.read_text("utf-8") == parts.read_text("utf-8")
    assert asked[:6] == asked[6:]


def test_a_log_of_other_parameters_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"worth": 1.0, "vector": [0.5]}\n', "utf-8")
    with pytest.raises(SystemExit, match="other parameters"):
        tune.main(["--log", str(log)])
