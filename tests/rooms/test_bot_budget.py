"""Bots on a busy server think less, whatever their role and their decision."""

from __future__ import annotations

from roundtable.bots import CarefulBot, Dice
from roundtable.bots.sage import SageBot
from roundtable.core.actions import Move, Remark
from roundtable.games import new_game
from roundtable.games.quests.roles import Card, Role
from roundtable.rooms.bot_budget import LEAST_EFFORT, SLOT, ThinkingBudget
from roundtable.rooms.bot_workers import Question, choose
from support.scenes import SEED, avalon, quest


def test_an_idle_server_lets_bots_think_at_leisure() -> None:
    assert ThinkingBudget().effort(waiting=0, waited=0.0) == 1


def test_the_more_questions_wait_the_less_effort_each_gets() -> None:
    efforts = [ThinkingBudget().effort(waiting, 0.0) for waiting in range(12)]
    assert efforts == sorted(efforts, reverse=True)
    assert efforts[3] == 1 / 4
    assert efforts[-1] == 0  # as quick as careful
    assert ThinkingBudget(processes=4).effort(7, 0.0) == 1 / 2


def test_a_question_that_has_waited_too_long_gets_no_more_thought() -> None:
    assert ThinkingBudget().effort(waiting=0, waited=SLOT) == 0


def test_late_answers_lower_the_effort_and_early_ones_raise_it() -> None:
    budget = ThinkingBudget()
    budget.answered(2 * SLOT)
    assert budget.effort(0, 0.0) == 1 / 2
    for _ in range(10):
        budget.answered(2 * SLOT)
    assert budget.effort(0, 0.0) == 0
    for _ in range(4):
        budget.answered(SLOT / 10)
    assert budget.effort(0, 0.0) >= LEAST_EFFORT
    for _ in range(20):
        budget.answered(SLOT / 10)
    assert budget.effort(0, 0.0) == 1


def chosen(bot: str, effort: float) -> Move | None:
    play = new_game("avalon", 5, SEED)
    (seat,) = play.phase.awaited
    heard = [line.event for line in play.heard(seat)]
    move = choose(Question(bot, "avalon", seat, heard, bytes(32), effort=effort))
    assert move is None or isinstance(move, Move)
    return move


def said(bot: str, effort: float, number: int) -> Remark | None:
    play = avalon([Role.MERLIN, Role.MINION, Role.ASSASSIN, Role.SERVANT, Role.SERVANT])
    quest(play, (0, 1), {1: Card.FAIL})
    heard = [line.event for line in play.heard(3)]
    remark = choose(Question(bot, "avalon", 3, heard, number.to_bytes(32), is_remark=True, effort=effort))
    assert remark is None or isinstance(remark, Remark)
    return remark


def test_without_any_effort_a_strong_bot_speaks_as_a_careful_one() -> None:
    careful, hurried, strong = (
        [said(bot, effort, number) for number in range(20)]
        for bot, effort in (("careful", 1.0), ("strong", 0.0), ("strong", 1.0))
    )
    assert hurried == careful
    assert strong != careful


def test_without_any_effort_a_strong_bot_plays_as_a_careful_one() -> None:
    assert chosen("strong", 0.0) == chosen("careful", 1.0)
    play = new_game("avalon", 5, SEED)
    (seat,) = play.phase.awaited
    strong = SageBot()
    strong.follow(play.events_for(seat))
    strong.hurry(0.0)
    view, options = play.view(seat), play.options(seat)
    assert strong.probabilities(view, options) == CarefulBot().probabilities(view, options)
    assert strong.choose(view, options, Dice(1)) == CarefulBot().choose(view, options, Dice(1))
