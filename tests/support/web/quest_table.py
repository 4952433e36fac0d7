"""A quest game whose seats a test plays over the client, from one phase to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roundtable.games.quests.roles import EVIL_ROLES
from roundtable.games.quests.tables import team_size
from support.web.hands import Hand, approve


class QuestTable:
    """Every team is approved. `fails` says how many Fails are played on a quest, if any."""

    def __init__(self, hands: Sequence[Hand], fails: Mapping[int, int]) -> None:
        self.hands = hands
        self._fails = fails
        self._evil = [seat for seat, hand in enumerate(hands) if hand.role in EVIL_ROLES]
        self._good = [seat for seat in range(len(hands)) if seat not in self._evil]

    @property
    def view(self) -> Any:
        return self.hands[0].view

    def reach(self, phase: str) -> None:
        while self.view.phase.name != phase:
            self.finish_phase()

    def finish_phase(self) -> None:
        phase = self.view.phase
        match phase.name:
            case "propose":
                self._propose()
            case "vote":
                approve(*self.hands)
            case "quest":
                self._play_cards()
            case "excalibur":
                self.hands[self.view.proposal.excalibur].does("LeaveExcalibur")
            case "lady":
                self.hands[self.view.lady].does("ExamineLoyalty")
            case _:
                for hand in self.hands:
                    hand.does("GoOn")
        self.hands[0].waits_beyond(phase.number)

    def _propose(self) -> None:
        setup, leader = self.view.setup, self.view.leader
        quest = 1 + len(self.view.results)
        team = [*self._evil[: self._fails.get(quest, 0)], *self._good][: team_size(setup.seats, quest)]
        is_named = getattr(setup, "choose_quests", False)
        has_excalibur = getattr(setup, "excalibur", "off") != "off"
        holder = next(seat for seat in reversed(team) if seat != leader)
        self.hands[leader].proposes(
            *team, quest=quest if is_named else None, excalibur=holder if has_excalibur else None
        )

    def _play_cards(self) -> None:
        for seat in self.view.proposal.team:
            self.hands[seat].does("PlayCard", card="Fail" if seat in self._evil else "Success")
