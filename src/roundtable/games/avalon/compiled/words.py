"""Avalon's own steps as whole numbers, and as actions again."""

from __future__ import annotations

from functools import lru_cache

from roundtable.core.actions import Action
from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.quests.compiled.words import OWN_VERBS, quest_action

USE_EXCALIBUR, EXAMINE, SHOOT, LEAVE_EXCALIBUR, KEEP_LADY = range(OWN_VERBS, OWN_VERBS + 5)
AIMED = {USE_EXCALIBUR: UseExcalibur, EXAMINE: ExamineLoyalty, SHOOT: ShootMerlin}  # at the first number
PLAIN = {LEAVE_EXCALIBUR: LeaveExcalibur, KEEP_LADY: KeepLady}


@lru_cache(maxsize=1 << 16)
def action_of(phase: int, verb: int, first: int, second: int, third: int) -> Action:
    """The action that a step stands for."""
    if verb in AIMED:
        return AIMED[verb](phase=phase, target=first)
    if verb in PLAIN:
        return PLAIN[verb](phase=phase)
    return quest_action(phase, verb, first, second, third)
