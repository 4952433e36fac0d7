"""What a choice is predicted from: numbers that stay the same when seats are renamed in turn order."""

from __future__ import annotations

import numpy as np

from roundtable.games.avalon.people.history import Flags, Floats, History, Ints, evil_sets
from roundtable.games.avalon.people.views import Views, own_weights

DECIMALS = 5  # so that sums in another order are the same number
PRIOR = 2.0  # so many imagined votes, half of them approvals, before a seat's first


class Columns:
    """A table of features, filled column by column."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.columns: list[Floats] = []

    def add(self, *values: Floats | Ints | Flags | float) -> None:
        for value in values:
            self.columns.append(np.broadcast_to(np.asarray(value, float), (self.rows,)))

    def table(self) -> Floats:
        return np.stack(self.columns, axis=1).round(DECIMALS)


def rates(approvals: Floats, votes: Floats) -> Floats:
    return np.asarray((approvals + PRIOR / 2) / (votes + PRIOR))


def add_stage(columns: Columns, now: History) -> None:
    """How far the game is, and which roles are in it."""
    successes = sum(result.succeeded for result in now.results)
    columns.add(now.seats, now.called.quest, now.called.attempt, successes, len(now.results) - successes, now.needed)
    columns.add(*now.dealt)


class Conduct:
    """How each seat has voted and led so far, beside how risky the teams look now."""

    def __init__(self, now: History) -> None:
        polls = float(len(now.polls))
        ballots, teams, lean, risk = now.ballots, now.teams, now.lean, now.risk[:, None]
        off = 1 - teams
        self.approving = rates(ballots.sum(0), np.full(now.seats, polls))
        self.approving_off = rates((ballots * off).sum(0), off.sum(0))
        self.table_approving = float(rates(np.array(ballots.sum()), np.array(polls * now.seats)))
        self.for_risky = (lean * risk).sum(0)
        self.for_safe = (lean * (1 - risk)).sum(0)
        self.for_risky_off = (lean * risk * off).sum(0)
        self.led = now.led.sum(0)
        self.led_risk = ((now.led * risk).sum(0) + 0.5) / (self.led + 1)
        others = teams * (1 - now.led)
        self.named = rates(others.sum(0), (1 - now.led).sum(0))
        failed, won = (now.outcome < 0)[:, None], (now.outcome > 0)[:, None]
        self.on_failed, self.on_won = (teams * failed).sum(0), (teams * won).sum(0)
        self.for_failed = (ballots * failed).sum(0)
        self.for_won = (ballots * won).sum(0)
        self.against_failed = ((1 - ballots) * failed).sum(0)
        self.against_won = ((1 - ballots) * won).sum(0)
        # Support from the seats that the Fails leave least suspect.
        trust = 1 - now.suspicion
        self.trusted_support = trust @ now.support
        self.suspect_support = now.suspicion @ now.support


def vote_features(now: History, views: Views) -> Floats:
    """A row for each view: the seat is asked about the team that `now.called` names."""
    seats, seat, leader, team = now.seats, views.seat, now.called.leader, now.team
    conduct, columns = Conduct(now), Columns(len(views))
    sets = evil_sets(seats)
    add_stage(columns, now)
    columns.add(views.role)
    # The team, as the view knows it.
    own = own_weights(now, views)
    marginal = own @ sets
    on_team, size = team[seat], team.sum()
    evil_on_team = sets @ team
    columns.add(on_team, seat == leader, team[leader], (seat - leader) % seats)
    columns.add(views.seen @ team, views.seen[:, leader], views.pair @ team, views.pair[:, leader])
    columns.add(own @ (evil_on_team == 0), own @ (evil_on_team < now.needed), own @ evil_on_team)
    columns.add(marginal[:, leader], (marginal * team).max(1))
    columns.add(own @ evil_on_team - np.sort(marginal, axis=1)[:, : int(size)].sum(1))
    # The team, as everyone may see it.
    columns.add(
        now.weights @ (evil_on_team == 0), now.weights @ evil_on_team, now.suspicion[leader], now.suspicion[seat]
    )
    columns.add(now.weights @ evil_on_team - np.sort(now.suspicion)[: int(size)].sum())
    for quality in (conduct.for_risky, conduct.for_safe, conduct.approving, conduct.led_risk, conduct.named):
        columns.add(quality[seat], quality[leader], quality @ team / size)
    columns.add(conduct.approving_off[seat], conduct.table_approving, len(now.polls), conduct.led[seat])
    columns.add(conduct.on_failed @ team / size, conduct.on_won @ team / size, conduct.on_failed[leader])
    columns.add(conduct.on_failed[seat], conduct.on_won[seat], (conduct.on_failed * team).max())
    columns.add(conduct.trusted_support @ team / size, conduct.suspect_support @ team / size)
    # Between the voter, the leader and the team.
    rest = team - np.eye(seats)[seat] * team
    columns.add((now.support[seat] * rest).sum(1), now.backing[seat, leader], (now.support.T[seat] * rest).sum(1))
    columns.add((now.picks[seat] * rest).sum(1), now.picks[leader, seat], now.support[leader, seat])
    columns.add(now.backing[leader, seat])
    # Teams before this one.
    add_earlier_teams(columns, now, seat)
    return columns.table()


def add_earlier_teams(columns: Columns, now: History, seat: Ints) -> None:
    """How this team compares with earlier ones: the last, the same, the last that went; and how the seat voted then."""
    team, size = now.team, now.team.sum()
    if not len(now.polls):
        columns.add(*[-1.0] * 12)
        return
    overlap = now.teams @ team / size
    same = np.flatnonzero((overlap == 1) & (now.teams.sum(1) == size))
    last_same = same[-1] if len(same) else -1
    columns.add(len(same), now.ballots[last_same].mean() if len(same) else -1.0)
    columns.add(now.ballots[last_same, seat] if len(same) else -1.0)
    columns.add(overlap[-1], now.ballots[-1].mean(), now.ballots[-1, seat])
    like = overlap**2
    columns.add(((now.ballots * like[:, None]).sum(0) / (like.sum() + 0.5))[seat])
    for kind in (now.outcome > 0, now.outcome < 0):
        past = np.flatnonzero(kind)
        columns.add(overlap[past[-1]] * size if len(past) else -1.0)
        columns.add((now.teams[past[-1]].sum() - overlap[past[-1]] * size) if len(past) else -1.0)
    hammer = (now.called.leader + 5 - now.called.attempt) % now.seats
    columns.add((hammer - seat) % now.seats)


def proposal_features(now: History, views: Views) -> Floats:
    """A row for each view and each seat that its leader may name, in this order: view, then seat."""
    seats, count = now.seats, len(views)
    leader = np.repeat(views.seat, seats)
    other = np.tile(np.arange(seats), count)
    conduct, columns = Conduct(now), Columns(count * seats)
    add_stage(columns, now)
    columns.add(np.repeat(views.role, seats))
    own = own_weights(now, views) @ evil_sets(seats)
    ranks = (own[:, None, :] < own[:, :, None] - 1e-9).sum(2)
    distance = (other - leader) % seats
    columns.add(distance == 0, distance, seats - distance)
    columns.add(views.seen.ravel(), np.repeat(views.seen.sum(1), seats), views.pair.ravel())
    columns.add(own.ravel(), ranks.ravel(), now.suspicion[other], now.suspicion[leader])
    public_ranks = (now.suspicion[None, :] < now.suspicion[:, None] - 1e-9).sum(1)
    columns.add(public_ranks[other])
    columns.add(now.picks[leader, other], now.picks[other, leader], conduct.led[leader])
    columns.add(
        now.support[leader, other], now.support[other, leader], now.backing[leader, other], now.backing[other, leader]
    )
    for quality in (conduct.for_risky, conduct.for_safe, conduct.approving, conduct.led_risk, conduct.named):
        columns.add(quality[other])
    columns.add(conduct.on_failed[other], conduct.on_won[other], conduct.for_failed[other], conduct.against_won[other])
    columns.add(conduct.trusted_support[other], conduct.suspect_support[other], conduct.approving[leader])
    if len(now.polls):
        columns.add(now.teams[-1, other], now.ballots[-1, other], now.ballots[-1].mean(), now.led[-1, other])
        mine = np.flatnonzero(now.led[:, views.seat[0]])
        columns.add(now.teams[mine[-1], other] if len(mine) else -1.0)
        columns.add(now.ballots[mine[-1], other] if len(mine) else -1.0)
    else:
        columns.add(*[-1.0] * 6)
    for kind in (now.outcome > 0, now.outcome < 0):
        past = np.flatnonzero(kind)
        columns.add(now.teams[past[-1], other] if len(past) else -1.0)
    return columns.table()


def card_features(now: History, views: Views) -> Floats:
    """A row for each view of an Evil seat on the team."""
    seat, team, size = views.seat, now.team, now.team.sum()
    conduct, columns = Conduct(now), Columns(len(views))
    add_stage(columns, now)
    columns.add(views.role, views.seen @ team, size, now.called.leader == seat, views.seen[:, now.called.leader])
    columns.add(now.suspicion[seat], now.weights @ (evil_sets(now.seats) @ team == 0), now.suspicion @ team)
    columns.add(conduct.on_failed[seat], conduct.on_won[seat], conduct.on_failed @ team, conduct.on_won @ team)
    columns.add(conduct.approving[seat], conduct.for_risky[seat], conduct.led_risk[seat], conduct.named[seat])
    columns.add(now.ballots[-1].mean() if len(now.polls) else -1.0, now.ballots[-1, seat] if len(now.polls) else -1.0)
    columns.add((views.seen * now.suspicion).max(1), (views.seen * team * now.suspicion).max(1))
    return columns.table()


def suspect_features(now: History) -> Floats:
    """A row for each seat, from what everyone has seen: for the Evil set."""
    seats, conduct = now.seats, Conduct(now)
    columns = Columns(seats)
    add_stage(columns, now)
    quests = len(now.results)
    ranks = (now.suspicion[None, :] < now.suspicion[:, None] - 1e-9).sum(1)
    columns.add(quests, len(now.polls), now.suspicion, ranks)
    for quality in (
        conduct.approving,
        conduct.approving_off,
        conduct.for_risky,
        conduct.for_safe,
        conduct.for_risky_off,
        conduct.led,
        conduct.led_risk,
        conduct.named,
        conduct.on_failed,
        conduct.on_won,
        conduct.for_failed,
        conduct.for_won,
        conduct.against_failed,
        conduct.against_won,
        conduct.trusted_support,
        conduct.suspect_support,
    ):
        columns.add(quality)
    columns.add(conduct.table_approving)
    fails = np.array([result.fails for result in now.results], float)
    columns.add(fails @ now.quest_teams, (fails / now.quest_teams.sum(1)) @ now.quest_teams if quests else 0.0)
    columns.add(now.support @ (1 - now.suspicion), now.support @ now.suspicion, np.diag(now.support))
    columns.add(now.backing @ (1 - now.suspicion), now.backing @ now.suspicion, (1 - now.suspicion) @ now.backing)
    columns.add(now.picks @ now.suspicion / np.maximum(now.picks.sum(1), 1), (1 - now.suspicion) @ now.picks)
    columns.add(now.suspicion @ now.picks)
    off = 1 - now.teams
    for stage in (now.quests == 1, now.quests == quests, now.went):
        mark = stage[:, None]
        columns.add((now.lean * mark).sum(0), (now.lean * mark * off).sum(0), (now.ballots * mark * off).sum(0))
        columns.add((now.teams * mark).sum(0))
    failed = (now.outcome < 0)[:, None]
    won = (now.outcome > 0)[:, None]
    columns.add((now.led * failed).sum(0), (now.led * won).sum(0))
    columns.add((now.ballots * failed * off).sum(0), (now.ballots * won * off).sum(0), (now.lean * failed * off).sum(0))
    for result in range(5):
        columns.add(now.quest_teams[result] * fails[result] if result < quests else -1.0)
    return columns.table()


def merlin_features(now: History, evil: Floats, assassin_role: int) -> Floats:
    """A row for each seat, for an Assassin to whom the sides are known (A21); the rows of Evil mean nothing."""
    seats, conduct = now.seats, Conduct(now)
    columns = Columns(seats)
    add_stage(columns, now)
    columns.add(assassin_role, len(now.polls))
    dirty = (now.teams @ evil > 0).astype(float)[:, None]
    off = 1 - now.teams
    good = 1 - evil
    signs = (
        (now.lean * dirty).sum(0),
        (now.lean * (1 - dirty)).sum(0),
        (now.lean * dirty * off).sum(0),
        (now.lean * (1 - dirty) * off).sum(0),
        (now.ballots * dirty).sum(0),
        ((1 - now.ballots) * dirty).sum(0),
        (now.ballots * (1 - dirty)).sum(0),
        ((1 - now.ballots) * (1 - dirty)).sum(0),
        (now.led * dirty).sum(0),
        (now.led * (1 - dirty)).sum(0),
        (now.lean * dirty * (now.quests <= 2)[:, None]).sum(0),
        (now.ballots * dirty * off).sum(0),
        now.support @ evil,
        now.support @ good,
        evil @ now.support,
        good @ now.support,
        evil @ now.picks,
        conduct.named,
        conduct.on_won,
        conduct.on_failed,
        conduct.approving,
        now.suspicion,
        conduct.for_risky,
        conduct.led_risk,
    )
    for sign in signs:
        columns.add(sign, sign - (sign @ good) / good.sum())
    return columns.table()
