"""Calibration as pictures: how often what was predicted came true; needs matplotlib."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.people.figures import Figures
from benchmarks.people.statistics import calibration


def draw(figures: Figures, folder: Path) -> None:
    """One file, a panel for each kind of prediction."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = list(figures.predicted)
    picture, panels = pyplot.subplots(1, len(names), figsize=(3.2 * len(names), 3.4), sharey=True)
    for name, panel in zip(names, np.atleast_1d(panels), strict=True):
        bins = calibration(np.concatenate(figures.predicted[name]), np.concatenate(figures.happened[name]))
        panel.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        panel.plot([step.predicted for step in bins], [step.seen for step in bins], marker="o")
        panel.set(title=name, xlabel="predicted", xlim=(0, 1), ylim=(0, 1))
    np.atleast_1d(panels)[0].set_ylabel("seen")
    picture.tight_layout()
    folder.mkdir(parents=True, exist_ok=True)
    picture.savefig(folder / "calibration.png", dpi=120)
