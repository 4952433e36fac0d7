"""What a table of Avalon is agreed on, in whole numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from roundtable.games.avalon.actions import ExamineLoyalty, KeepLady, LeaveExcalibur, ShootMerlin, UseExcalibur
from roundtable.games.avalon.bots.careful import fails_made
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.environment import layout, moves, roles_of
from roundtable.games.avalon.game import LADY_AFTER
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.compiled.choices import lay_out_row, number_choices
from roundtable.games.quests.compiled.common import QUEST_RULES, lay_out
from roundtable.games.quests.compiled.words import MOST_SEATS, number_of, roles_in_bits
from roundtable.games.quests.roles import EVIL_ROLES, Role
from roundtable.games.quests.tables import SIDES_BY_COUNT
from roundtable.kernels.actions import NO_PHASE, Actions

REASONS = ("three_failures", "five_rejections", "three_successes", "merlin_assassinated", "merlin_survived")
THREE_FAILURES, FIVE_REJECTIONS, THREE_SUCCESSES, MERLIN_ASSASSINATED, MERLIN_SURVIVED = range(len(REASONS))
EVIL_WINS_BY = (THREE_FAILURES, FIVE_REJECTIONS, MERLIN_ASSASSINATED)
LADY_AFTER_BITS = sum(1 << quests for quests in LADY_AFTER)

Rules = Any  # a row of RULES
RULES = np.dtype(
    [
        *QUEST_RULES,
        ("deck", np.int64, MOST_SEATS),
        ("assassins", np.int64),  # roles that the Assassin is drawn from; none where there is no shot
        ("hammer", np.bool_),  # whether the fifth team goes without a vote
        ("lady", np.bool_),
        ("lady_may_pass", np.bool_),
        ("choose_quests", np.bool_),
        ("excalibur", np.bool_),
        ("turns_success", np.bool_),
        ("fails_made", np.int64),  # by Excalibur, at most, in a quest
        ("morganas", np.int64),
        ("uses", np.int64),  # the first number of each kind of move
        ("leave", np.int64),
        ("examines", np.int64),
        ("keep", np.int64),  # the Lady
        ("shots", np.int64),
    ]
)


@lru_cache(maxsize=256)
def rules_of(setup: AvalonSetup) -> Any:
    table = np.zeros(1, RULES)
    rules = table[0]
    lay_out(rules, setup.seats, SIDES_BY_COUNT[setup.seats][1], setup.two_fails_from, SIGHTS)
    rules["deck"][: setup.seats] = [number_of(role) for role in setup.all_roles]
    rules["morganas"] = Role.MORGANA in setup.special_roles
    rules["fails_made"] = fails_made(setup.excalibur)
    rules["assassins"] = assassins_of(setup)
    rules["hammer"] = setup.hammer == "auto"
    rules["lady"] = setup.lady
    rules["lady_may_pass"] = setup.lady_may_pass
    rules["choose_quests"] = setup.choose_quests
    rules["excalibur"] = setup.excalibur != "off"
    rules["turns_success"] = setup.excalibur == "both"
    number_moves(rules, setup, Actions(moves(setup)))
    lay_out_row(rules, layout(setup), setup, roles_of(setup), SIGHTS)
    return table


def number_moves(rules: Any, setup: AvalonSetup, actions: Actions) -> None:
    """The numbers of choices, as environments have them."""
    number_choices(rules, setup, actions, setup.choose_quests, setup.excalibur != "off")
    if setup.excalibur != "off":
        rules["uses"] = actions.number(UseExcalibur(phase=NO_PHASE, target=0))
        rules["leave"] = actions.number(LeaveExcalibur(phase=NO_PHASE))
    if setup.lady:
        rules["examines"] = actions.number(ExamineLoyalty(phase=NO_PHASE, target=0))
        rules["keep"] = actions.number(KeepLady(phase=NO_PHASE)) if setup.lady_may_pass else -1
    if setup.merlin:
        rules["shots"] = actions.number(ShootMerlin(phase=NO_PHASE, target=0))


def assassins_of(setup: AvalonSetup) -> int:
    """A4: the Assassin is a card, or a duty that falls on any Evil player but Oberon; A27: or there is none."""
    if not setup.merlin:
        return 0
    if setup.has_duty:
        return roles_in_bits(EVIL_ROLES - {Role.OBERON})
    return roles_in_bits([Role.ASSASSIN])
