"""The games of people, read from the file that ROUNDTABLE_HUMAN_GAMES names, and which of them only test."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from roundtable.games.avalon.people.deals import before
from roundtable.games.avalon.people.history import Called, History, Ints, called_next
from roundtable.games.avalon.people.views import codes_of
from roundtable.games.avalon.setup import OPTIONAL_ROLES, AvalonSetup
from roundtable.games.quests.roles import Role
from roundtable.games.quests.state import Poll, Proposal, Result

TEST_ONE_IN = 3  # fixed before the first fit; see docs/people.md


def is_test(game_id: str) -> bool:
    """Whether a game is for testing alone: a third of all, by a hash of the id."""
    return int.from_bytes(sha256(game_id.encode()).digest()[:8], "big") % TEST_ONE_IN == 0


def fold_of(game_id: str, folds: int) -> int:
    """The part of a training game in a cross-validation; independent of the split."""
    return int.from_bytes(sha256(game_id.encode()).digest()[8:16], "big") % folds


def games_path() -> Path:
    """Where the games are; ends the program with a sentence where they are not."""
    named = os.environ.get("ROUNDTABLE_HUMAN_GAMES")
    if not named:
        raise SystemExit(
            "Set ROUNDTABLE_HUMAN_GAMES to the file of human games (.jsonl.gz); it is not part of the project."
        )
    path = Path(named)
    if not path.is_file():
        raise SystemExit(f"ROUNDTABLE_HUMAN_GAMES names {named}, and there is no such file.")
    return path


def read_games(path: Path, *, test: bool) -> list[HumanGame]:
    """The test games, or all others."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [human_game(game) for line in lines if is_test((game := json.loads(line))["id"]) is test]


SPELLED = {"LOYAL FOLLOWER": Role.SERVANT, "EVIL MINION": Role.MINION}


@dataclass(frozen=True, kw_only=True)
class HumanGame:
    """A game as it was played, with its deal."""

    id: str
    setup: AvalonSetup
    roles: tuple[Role, ...]  # by seat
    deal: Ints  # the same by number; the Assassin's card counts as a Minion's
    first_leader: int
    assassin: int | None
    polls: tuple[Poll, ...]
    results: tuple[Result, ...]
    failed: tuple[frozenset[int], ...]  # by quest: who played Fail
    shot: int | None

    def before_vote(self, count: int) -> History:
        """What everyone had seen when the vote of that number was taken."""
        return before(self.at_end(), count)

    def on_quest(self, quest: int) -> History:
        """What everyone had seen when the cards of a quest were played."""
        count = self.votes_until(quest)
        last = self.polls[count - 1].proposal
        called = Called(last.leader, quest, 1, last.team)
        return History(setup=self.setup, polls=self.polls[:count], results=self.results[: quest - 1], called=called)

    def after_quest(self, quest: int) -> History:
        polls = self.polls[: self.votes_until(quest)]
        called = called_next(self.setup, polls, self.first_leader)
        return History(setup=self.setup, polls=polls, results=self.results[:quest], called=called)

    def at_end(self) -> History:
        called = called_next(self.setup, self.polls, self.first_leader)
        return History(setup=self.setup, polls=self.polls, results=self.results, called=called)

    def votes_until(self, quest: int) -> int:
        return sum(poll.proposal.quest <= quest for poll in self.polls)


def human_game(game: dict[str, Any]) -> HumanGame:
    """A line of the file, read."""
    roles = tuple(SPELLED.get(name) or Role(name.title()) for name in game["roles"])
    merlin = Role.MERLIN in roles
    setup = AvalonSetup(
        seats=game["n"],
        roles=frozenset(OPTIONAL_ROLES & {*roles}),
        merlin=merlin,
        assassin="role" if Role.ASSASSIN in roles else "duty",
    )
    played = [(number, quest) for number, quest in enumerate(game["quests"], 1) if quest["result"] != "PENDING"]
    return HumanGame(
        id=game["id"],
        setup=setup,
        roles=roles,
        deal=codes_of(roles),
        first_leader=game["quests"][0]["proposals"][0]["leader"],
        assassin=game["assassin"] if merlin else None,  # a few records name one all the same
        polls=tuple(
            poll_of(number, named, game["n"])
            for number, quest in enumerate(game["quests"], 1)
            for named in quest["proposals"]
        ),
        results=tuple(result_of(number, quest) for number, quest in played),
        failed=tuple(
            frozenset(int(seat) for seat, success in quest["mission_votes"].items() if not success)
            for _, quest in played
        ),
        shot=game["shot"] if game["end"] == "assassination" else None,
    )


def poll_of(quest: int, named: dict[str, Any], seats: int) -> Poll:
    proposal = Proposal(named["leader"], quest, frozenset(named["team"]), None)
    approving = {*named["approve"]}
    return Poll(proposal, tuple(seat in approving for seat in range(seats)), named["approved"])


def result_of(number: int, quest: dict[str, Any]) -> Result:
    team = frozenset(int(seat) for seat in quest["mission_votes"])
    return Result(number, team, len(team) - quest["fails"], quest["fails"], 0, quest["result"] == "SUCCESS")
