"""What the rulebook lets each listener of THavalon know, stated apart from the engine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

from roundtable.core.chance import Chance, pick
from roundtable.core.seats import Seat
from roundtable.core.secrecy import Ask, Audiences, Script, Step, everyone, that_seat
from roundtable.games.quests.roles import Card
from roundtable.games.quests.secrecy import EVIL, QUEST_AUDIENCES, QuestMirror, QuestSecrecy, is_evil, where
from roundtable.games.quests.state import QuestDeal
from roundtable.games.thavalon import events as thavalon
from roundtable.games.thavalon.actions import DeclareAgravaine, DeclareArthur, GoOn
from roundtable.games.thavalon.setup import ThavalonSetup


class ThavalonSecrecy(QuestSecrecy):
    audiences: ClassVar[Audiences] = {
        **QUEST_AUDIENCES,
        thavalon.WindowOpened: everyone,
        thavalon.WindowClosed: everyone,
        thavalon.AgravaineDeclared: everyone,
        thavalon.ArthurDeclared: everyone,
        thavalon.TeamWithdrawn: everyone,
        thavalon.TeamSent: everyone,
        thavalon.WentOn: that_seat,
        thavalon.TargetCalled: everyone,
    }

    def seen(self, role: str, roles: Sequence[str], seat: Seat) -> Hashable:
        match role:
            case "Merlin":
                return where(roles, EVIL - {"Mordred"} | {"Lancelot"})
            case "Percival":
                return where(roles, {"Merlin", "Morgana"})
            case "Tristan" | "Iseult":
                return where(roles, {"Tristan", "Iseult"})
            case "Nimue":
                return frozenset(roles)
            case "Arthur":
                return frozenset(role for role in roles if not is_evil(role))
            case "Colgrevance":
                return tuple(role if is_evil(role) else None for role in roles)
            case _ if is_evil(role):
                return where(roles, EVIL - {"Colgrevance"} | {"Titania"}), "Colgrevance" in roles, "Titania" in roles
        return None

    def another_deal(self, setup: Any, deal: QuestDeal, listener: Seat, chance: Chance) -> QuestDeal:
        """Roles change seats, and sometimes a role that was not drawn takes the place of one that was."""
        assert isinstance(setup, ThavalonSetup)
        near = QuestSecrecy.another_deal(self, setup, deal, listener, chance)
        if chance.below(2):
            return near
        roles = list(near.roles)
        seat = pick(chance, [seat for seat in range(len(roles)) if seat != listener])
        pool = setup.evil_pool if is_evil(roles[seat]) else setup.good_pool
        undrawn = [role for role in pool if role not in roles and role not in ("Tristan", "Iseult")]
        if undrawn and roles[seat] not in ("Tristan", "Iseult"):
            roles[seat] = pick(chance, undrawn)
        return QuestDeal(tuple(roles), deal.leader, near.assassin)

    def mirror(self, script: Script, deal: QuestDeal, focus: int, chance: Chance) -> ThavalonMirror:
        return ThavalonMirror(script, deal, focus, chance)


class ThavalonMirror(QuestMirror):
    """The same, with declarations and windows."""

    def own_asks(self, index: int, step: Step) -> Sequence[Ask] | None:
        match step.action:
            case GoOn():
                return self.go_on_asks(index, step)
            case DeclareArthur() | DeclareAgravaine():
                if self.script.deal.roles[step.actor] != self.deal.roles[step.actor]:
                    return None
        return [Ask(step.actor, step.action)]

    def is_slip_alike(self, step: Step) -> bool:
        if isinstance(step.action, GoOn) and step.actor != self.focus:
            return False
        return super().is_slip_alike(step)

    def may_play(self, role: str, card: Card) -> bool:
        """T17; at a table without Reverse cards there are none to play (T26)."""
        assert isinstance(self.script.setup, ThavalonSetup)
        return super().may_play(role, card) and (card != "Reverse" or self.script.setup.reversal)

    def discards_votes(self, last: Step) -> bool:
        """T16."""
        return isinstance(last.action, DeclareArthur)

    def go_on_asks(self, index: int, step: Step) -> Sequence[Ask]:
        """T21: that a seat has nothing to declare is its secret, so others take one another's places."""
        waiting = [
            one.actor
            for one in self.script.of_phase(index)
            if isinstance(one.action, GoOn) and one.refusal is None and one.actor != self.focus
        ]
        if step.actor == self.focus:
            return [Ask(step.actor, step.action)]
        stand_in = waiting[-1 - waiting.index(step.actor)]
        self.apart |= {step.actor, stand_in}
        return [Ask(stand_in, step.action)]


SECRECY = ThavalonSecrecy()
