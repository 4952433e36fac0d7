"""What the quest games share of the tables from which a client repeats a deal."""

from __future__ import annotations

from roundtable.games.quests.roles import EVIL_ROLES, Role


def tables() -> dict[str, object]:
    return {"evil": [role for role in Role if role in EVIL_ROLES]}
