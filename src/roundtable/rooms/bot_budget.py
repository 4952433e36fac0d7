"""How much effort bots may put into a question, so that none of them moves late on a busy server.

It follows from how many questions wait and how long the latest took, of all rooms together: from no role and no kind of
decision.
"""

from __future__ import annotations

SLOT = 0.25  # seconds from a question to its answer; bots of every pace but `instant` seem to think longer
LEAST_EFFORT = 1 / 8  # with less, a bot is as quick as `careful`
RECOVERY = 1.25  # by which the effort grows after an answer that came early


class ThinkingBudget:
    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._effort = 1.0

    def effort(self, waiting: int, waited: float) -> float:
        """For a question that begins now, after so many seconds, while so many others wait; from 0 to 1."""
        share = self._effort / (1 + waiting // self._processes)
        return share if share >= LEAST_EFFORT and waited < SLOT else 0.0

    def answered(self, seconds: float) -> None:
        """A question was answered, so many seconds after it was asked."""
        if seconds > SLOT:
            self._effort = max(LEAST_EFFORT / 2, self._effort / 2)
        elif seconds < SLOT / 2:
            self._effort = min(1.0, self._effort * RECOVERY)
