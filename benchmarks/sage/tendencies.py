"""Count how players play the quest games: the tables in `games/quests/sage/tendencies.json`.

    python -m benchmarks.sage.tendencies careful --games 150  # such bots, so many games at each number of seats
    ROUNDTABLE_HUMAN_GAMES=… python -m benchmarks.sage.tendencies people  # the training games of people

replaces the tables of that kind of player. People are counted in Avalon, and taken to play THavalon alike.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.people.games import HumanGame, games_path, read_games
from roundtable.bots import Dice, make_bot, play_out
from roundtable.core.play import Play
from roundtable.core.seats import EVERYONE, Seat
from roundtable.games import new_game, spec_named
from roundtable.games.avalon.deal import SIGHTS
from roundtable.games.avalon.people.views import CODES
from roundtable.games.avalon.state import AvalonState
from roundtable.games.quests import events as happened
from roundtable.games.quests.bots.knowledge import mask_of
from roundtable.games.quests.roles import Card, Glimpse, Role, glimpses
from roundtable.games.quests.sage import tendencies
from roundtable.games.quests.sage.tendencies import CARDS, HANDS, INFORMED, LOVER, TEAMS, VOTES, Customs

SEATS = range(5, 11)
PEOPLE = "people"
ROUNDS = 50  # of scaling weights of teams
LIKE = 2.0  # how many games' worth of what was seen in similar situations counts where little was seen


@dataclass
class Seen:
    """What a seat is, in the form in which a belief lists what it may be."""

    seat: Seat
    role: Role
    sees: tuple[Glimpse, ...]
    roles: Any = field(default_factory=lambda: np.zeros(1, dtype=np.int64))

    @property
    def names(self) -> tuple[str, ...]:
        return (self.role,)

    @property
    def shown(self) -> Any:
        return np.array([mask_of(seat for glimpse in self.sees for seat in glimpse.seats)], dtype=np.int64)


class Counts:
    """How often players did what, by situation."""

    def __init__(self, customs: Customs) -> None:
        self._customs = customs
        self._votes = np.zeros((*VOTES, 2))
        self._hands = np.zeros(HANDS)
        self._offered: list[Any] = []  # by proposal: how many teams there were of each place
        self._named: list[int] = []  # and the place of the one that was named

    def lead(self, public: Any, seen: Seen, team: frozenset[Seat]) -> None:
        places = tendencies.team_places(self._customs, public, seen, len(team))
        flat = np.ravel_multi_index([np.broadcast_to(part, places[1].shape) for part in places], TEAMS)[:, 0]
        masks = tendencies.team_masks(public.setup.seats, len(team))
        self._offered.append(np.bincount(flat, minlength=int(np.prod(TEAMS))))
        self._named.append(int(flat[masks == mask_of(team)][0]))

    def vote(self, public: Any, seen: Seen, approve: bool) -> None:
        places: tuple[Any, ...] = tendencies.vote_places(self._customs, public, seen)
        self._votes[(*places, int(approve))] += 1

    def lay(self, public: Any, seen: Seen, card: Card) -> None:
        if len(public.setup.cards_of(seen.role)) > 1:
            places: tuple[Any, ...] = tendencies.hand_places(self._customs, public, seen)
            self._hands[(*places, CARDS.index(card))] += 1

    def tables(self) -> dict[str, list[float]]:
        hands = self._hands + 0.5 * (np.arange(len(CARDS)) != CARDS.index(Card.REVERSE))
        votes, teams = smooth(self._votes)[..., 1], self._team_weights().reshape(TEAMS)
        if not self._votes[LOVER].any():  # Avalon has none: they are taken to lead and vote as Percival does
            votes[LOVER], teams[LOVER] = votes[INFORMED, :, :, :1], teams[INFORMED, :1]
        return {
            "votes": rounded(votes),
            "teams": rounded(teams),
            "cards": rounded(hands / hands.sum(axis=-1, keepdims=True)),
        }

    def _team_weights(self) -> Any:
        """How much likelier a team of each place is named than others: maximum likelihood, by repeated scaling."""
        offered = np.array(self._offered, dtype=float)
        named = np.bincount(self._named, minlength=offered.shape[1]) + 0.1
        weights = np.ones(offered.shape[1])
        for _ in range(ROUNDS):
            expected = (offered * weights / (offered @ weights)[:, None]).sum(axis=0) + 0.1
            weights = np.clip(weights * named / expected, 1e-4, 1e4)
        return weights / weights.max()


def smooth(counts: Any) -> Any:
    """Chances; where little was seen, by what was seen in similar situations."""
    prior = np.full(counts.shape, 0.5)
    for kept in range(1, counts.ndim):
        seen = counts.sum(axis=tuple(range(kept, counts.ndim - 1)), keepdims=True)
        prior = (seen + LIKE * prior) / (seen + LIKE * prior).sum(axis=-1, keepdims=True)
    return np.clip(prior, 0.01, 0.99)


def rounded(table: Any) -> list[float]:
    return [float(f"{value:.3g}") for value in np.asarray(table).reshape(-1)]


# Games of bots


def watch(counts: Counts, play: Play[Any, Any]) -> None:
    """Go through a finished game once more."""
    public = play.game.blank(play.state.setup)
    cards: dict[Seat, Card] = {}
    seen = {seat: Seen(seat, card.role, card.sees) for seat, card in play.state.dealt.items()}
    for event in play.events:
        match event:
            case happened.TeamProposed():
                counts.lead(public, seen[event.leader], event.team)
            case happened.VotesCounted() if getattr(public, "first_of_pair", None) is None:
                for seat, approve in enumerate(event.ballots):
                    counts.vote(public, seen[seat], approve)
            case happened.CardChosen():
                cards[event.seat] = event.card
            case happened.QuestResolved():
                for seat in event.team & cards.keys():
                    counts.lay(public, seen[seat], cards[seat])
                cards = {}
        if event.audience is EVERYONE:
            public = public.copy()
            play.game.absorb[type(event)](public, event)


def games_of(bot: str, game: str, games: int) -> Iterator[Play[Any, Any]]:
    for seats in SEATS:
        for number in range(games):
            play = new_game(game, seats, hashlib.sha256(f"{game} {seats} {number}".encode()).digest())
            yield play_out(play, {seat: make_bot(bot) for seat in range(seats)}, Dice(number))
        print(f"{bot} in {game}, {seats} seats: {games} games", file=sys.stderr, flush=True)


# Games of people


def watch_people(counts: Counts, game: HumanGame) -> None:
    names = {code: role for role, code in CODES.items()}
    roles = tuple(names[code] for code in game.deal.tolist())
    seen = {seat: Seen(seat, roles[seat], glimpses(SIGHTS, roles, seat)) for seat in range(len(roles))}
    public = AvalonState(setup=game.setup)
    results = dict(enumerate(zip(game.results, game.failed, strict=True), 1))
    for poll in game.polls:
        public.proposal = None
        counts.lead(public, seen[poll.proposal.leader], poll.proposal.team)
        public.proposal = poll.proposal
        for seat, approve in enumerate(poll.ballots):
            counts.vote(public, seen[seat], approve)
        public.polls += (poll,)
        public.attempt += 1
        if poll.approved and poll.proposal.quest in results:
            result, failed = results[poll.proposal.quest]
            for seat in result.team:
                counts.lay(public, seen[seat], Card.FAIL if seat in failed else Card.SUCCESS)
            public.results += (result,)
            public.attempt = 1


def count(kind: str, game: str, games: int) -> dict[str, list[float]]:
    counts = Counts(spec_named(game).part("sage").customs)
    if kind == PEOPLE:
        for human in read_games(games_path(), test=False):
            watch_people(counts, human)
    else:
        for play in games_of(kind, game, games):
            watch(counts, play)
    return counts.tables()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sage.tendencies", description=__doc__)
    parser.add_argument("kind", help="a bot, or people")
    parser.add_argument("--games", type=int, default=150)
    parser.add_argument("--game", action="append", choices=["avalon", "thavalon"])
    asked = parser.parse_args()
    path = Path(tendencies.__file__).parent / tendencies.FILE
    for game in asked.game or ["avalon", "thavalon"]:
        found = count(asked.kind, "avalon" if asked.kind == PEOPLE else game, asked.games)
        kept = json.loads(path.read_text("utf-8"))
        kept.setdefault(asked.kind, {})[game] = found
        path.write_text(json.dumps(kept, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
