"""Which browser the tests and the screenshots drive."""

from __future__ import annotations

import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # without windows it is quicker
MISSING = "Chromium is not installed; `make browser` installs it or says how."


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)
