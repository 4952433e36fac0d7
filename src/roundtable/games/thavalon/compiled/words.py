"""THavalon's own roles and steps as whole numbers, and steps as actions again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from roundtable.core.actions import Action
from roundtable.games.quests.compiled.words import OWN_VERBS, number_of, quest_action, seats_in
from roundtable.games.quests.roles import Role
from roundtable.games.thavalon.actions import (
    CallLovers,
    CallMerlin,
    CallNimue,
    CallNobody,
    DeclareAgravaine,
    DeclareArthur,
    GoOn,
)

NIMUE, TRISTAN, ISEULT, LANCELOT = map(number_of, (Role.NIMUE, Role.TRISTAN, Role.ISEULT, Role.LANCELOT))
ARTHUR, TITANIA, MAELAGANT, AGRAVAINE = map(number_of, (Role.ARTHUR, Role.TITANIA, Role.MAELAGANT, Role.AGRAVAINE))

(
    DECLARE_ARTHUR,
    DECLARE_AGRAVAINE,
    GO_ON,
    CALL_MERLIN,  # the target
    CALL_NIMUE,  # the target
    CALL_LOVERS,  # the two as a mask
    CALL_NOBODY,
) = range(OWN_VERBS, OWN_VERBS + 7)
AIMED = {CALL_MERLIN: CallMerlin, CALL_NIMUE: CallNimue}
BARE: dict[int, Callable[..., Action]] = {
    DECLARE_ARTHUR: DeclareArthur,
    DECLARE_AGRAVAINE: DeclareAgravaine,
    GO_ON: GoOn,
    CALL_NOBODY: CallNobody,
}


@lru_cache(maxsize=1 << 16)
def action_of(phase: int, verb: int, first: int, second: int, third: int) -> Action:
    """The action that a step stands for."""
    if verb == CALL_LOVERS:
        return CallLovers(phase=phase, targets=frozenset(seats_in(first)))
    if verb in AIMED:
        return AIMED[verb](phase=phase, target=first)
    if verb in BARE:
        return BARE[verb](phase=phase)
    return quest_action(phase, verb, first, second, third)
