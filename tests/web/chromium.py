"""Which browser the tests and the screenshots drive."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # without windows it is quicker
MISSING = "There is no Chromium; `make browser` installs it."


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)
