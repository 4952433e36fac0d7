"""Rules that all games share: fair deals, refusals, records, countdowns, pauses, calling off, and talk."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from roundtable.bots import RandomBot, play_out
from roundtable.bots.dice import Dice
from roundtable.bots.playing import ask_round
from roundtable.core import actions as ask
from roundtable.core import events as happened
from roundtable.core.actions import Action, Move
from roundtable.core.codec import encode
from roundtable.core.conduct import LONGEST_LINE
from roundtable.core.entries import Entry
from roundtable.core.errors import CODES, BadRecord, IllegalAction, Unreadable
from roundtable.core.events import Event
from roundtable.core.game import fold
from roundtable.core.options import require_legal
from roundtable.core.play import REFUSALS_KEPT, Play, replay
from roundtable.core.seats import CLOCK, EVERYONE, HOST, NOBODY, SPECTATOR, TABLE
from roundtable.games import GAMES, codec_of, new_game, open_table
from roundtable.games.avalon.actions import ShootMerlin
from roundtable.games.quests.actions import CastVote, ProposeTeam
from roundtable.games.saviom.actions import Accuse, Surrender
from roundtable.games.saviom.setup import Role
from support.scenes import SEED, heard, propose, saviom

Table = Play[Any, Any]

SEATS = 7
UNTIMED = ["avalon", "thavalon"]
ENTROPY = [bytes([seat]) * 16 for seat in range(SEATS)]


def dealt(name: str = "saviom", **options: Any) -> Table:
    return new_game(name, SEATS, SEED, **options)


def laid(name: str = "saviom") -> Table:
    return open_table(name, SEATS, SEED)


def called_off() -> Table:
    play = dealt()
    play.act(HOST, ask.CallOff())
    return play


def everyone_at(play: Table) -> list[int]:
    return [*range(play.state.setup.seats), SPECTATOR]


def refused(play: Table, actor: int, action: Action, id: str = "") -> str:
    with pytest.raises(IllegalAction) as refusal:
        play.act(actor, action, id)
    return refusal.value.code


def roles_of(play: Table) -> list[str]:
    return [str(role) for _, role in sorted(play.state.roles.items())]


def record_of(play: Table) -> list[bytes]:
    return [encode(entry) for entry in play.entries]


def state_of(play: Table) -> bytes:
    return encode(play.state.facts())


def standing(play: Table) -> tuple[object, ...]:
    """Everything about a game: its record, its state, and what each listener has heard."""
    return record_of(play), state_of(play), [play.heard(listener) for listener in everyone_at(play)]


def random_game(name: str, seats: int = SEATS, **options: Any) -> Iterator[Table]:
    """A random game, yielded before each of its phases, with ids and some talk."""
    play = open_table(name, seats, SEED, **options)
    play.contribute(2, ENTROPY[2])
    play.deal()
    chance = Dice(7)
    bots = {seat: RandomBot() for seat in range(seats)}
    while not play.is_over:
        yield play
        ask_round(play, bots, chance)
        if play.is_over:
            break
        play.act(HOST, ask.Pause(), f"pause {play.phase.number}")
        play.act(HOST, ask.Resume())
    play.act(0, ask.Say(channel="table", text="Cảm ơn! 谢谢 🙂"), "thanks")
    yield play


def finished(name: str, seats: int = SEATS, **options: Any) -> Table:
    *_, play = random_game(name, seats, **options)
    return play


# Deals that can be checked


def test_the_commitment_is_public_before_the_deal_and_opens_to_the_seed_shown_at_the_end() -> None:  # C1
    play = laid()
    (opened,) = heard(play, SPECTATOR, happened.TableOpened)
    assert not play.is_dealt
    play.deal()
    play.act(HOST, ask.CallOff())
    (seals,) = heard(play, SPECTATOR, happened.SecretsRevealed)
    (seed,) = (bytes.fromhex(fact.seed) for _, fact in seals.secret_facts if isinstance(fact, happened.SeedSealed))
    assert seed == SEED
    assert opened.commitment == hmac.digest(seed, b"roundtable/1/commitment", "sha256").hex()


@pytest.mark.parametrize("name", GAMES)
def test_nobody_hears_the_seed_before_the_end(name: str) -> None:  # C1, C4
    play = dealt(name)
    for listener in everyone_at(play):
        assert SEED.hex() not in str([encode(line) for line in play.heard(listener)])


def test_the_same_seed_contributions_options_and_seats_give_the_same_deal() -> None:  # C1
    plays = [laid("avalon"), laid("avalon")]
    for play, order in zip(plays, ([0, 3, 5], [5, 0, 3]), strict=True):
        for seat in order:
            play.contribute(seat, ENTROPY[seat])
        play.deal()
    assert roles_of(plays[0]) == roles_of(plays[1])
    assert plays[0].state.leader == plays[1].state.leader


@pytest.mark.parametrize(
    "other",
    [
        lambda: open_table("avalon", SEATS, SEED[::-1]),
        lambda: open_table("avalon", SEATS, SEED, vote_seconds=30),
        lambda: contributed_by(3),
        lambda: contributed_by(3, 4),
    ],
    ids=["seed", "options", "contribution", "contributions"],
)
def test_seed_options_and_contributions_all_enter_the_deal(other: Callable[[], Table]) -> None:  # C1
    draws = [play.chance("deal").below(1 << 32) for play in (contributed_by(), other())]
    assert draws[0] != draws[1]


def contributed_by(*seats: int) -> Table:
    play = laid("avalon")
    for seat in seats:
        play.contribute(seat, ENTROPY[seat])
    return play


def test_a_contribution_changes_who_is_dealt_what() -> None:  # C1
    deals = set()
    for seat in range(SEATS):
        play = contributed_by(seat)
        play.deal()
        deals.add((*roles_of(play), play.state.leader))
    assert len(deals) > 1


def test_each_seat_may_stir_once_after_the_commitment_and_before_the_deal() -> None:  # C1
    play = laid()
    play.contribute(3, ENTROPY[3])
    assert [(event.seat, event.entropy) for event in heard(play, SPECTATOR, happened.EntropyContributed)] == [
        (3, ENTROPY[3].hex())
    ]
    again = ask.Contribute(entropy=ENTROPY[4].hex())
    assert refused(play, 3, again) == "action/not_now"
    assert refused(play, HOST, again) == "action/not_now"
    play.contribute(4, ENTROPY[4])
    play.deal()
    assert refused(play, 5, again) == "action/not_now"


@pytest.mark.parametrize("entropy", ["", "00" * 15, "00" * 65, "0" * 33, "zz" * 16, "AB" * 16, "0x" * 16, "٠" * 32])
def test_a_contribution_is_16_to_64_bytes_of_hex(entropy: str) -> None:  # C1, C2
    play = laid()
    assert refused(play, 0, ask.Contribute(entropy=entropy)) == "action/not_allowed"
    play.contribute(0, bytes(16))
    play.contribute(1, bytes(64))


def test_roles_are_dealt_once() -> None:  # C1
    play = dealt()
    with pytest.raises(IllegalAction):
        play.deal()


# Refusals

REFUSALS: dict[str, Callable[[], tuple[Table, int, Action]]] = {
    "action/late": lambda: (dealt(), 0, Accuse(phase=2, target=1)),
    "action/not_now": lambda: (dealt(), 0, CastVote(phase=1, approve=True)),
    "action/not_allowed": lambda: (dealt(), 0, Accuse(phase=1, target=0)),
    "action/unknown_seat": lambda: (dealt(), SEATS, Accuse(phase=1, target=1)),
    "action/id_reused": lambda: (used_id(), 0, Accuse(phase=1, target=2)),
    "action/no_clock": lambda: (dealt("avalon"), CLOCK, ask.Expire(phase=1)),
    "talk/closed": lambda: (dealt(), 0, ask.Say(channel="wolves", text="Who?")),
    "talk/text": lambda: (dealt(), 0, ask.Say(channel="table", text="")),
    "game/over": lambda: (called_off(), 0, Accuse(phase=1, target=1)),
    "game/not_dealt": lambda: (laid("avalon"), 0, ask.AskCountdown(phase=0)),
}


def used_id() -> Table:
    play = dealt()
    play.act(0, Accuse(phase=1, target=1), "mine")
    return play


def test_every_code_of_a_refusal_is_provoked_here() -> None:  # C2
    families = ("action/", "talk/", "game/")
    by_rooms = {"talk/too_fast", "talk/too_much", "talk/silenced", "action/too_often"}
    assert {*REFUSALS, "action/bad_id"} == {code for code in CODES if code.startswith(families)} - by_rooms


@pytest.mark.parametrize("code", REFUSALS)
def test_a_refusal_has_its_code_and_changes_nothing(code: str) -> None:  # C2
    play, actor, action = REFUSALS[code]()
    before = standing(play)
    assert refused(play, actor, action, "mine") == code
    assert standing(play) == before


@pytest.mark.parametrize(
    ("actor", "action", "code"),
    [
        (0, ask.StartCountdown(phase=1, seconds=60), "action/not_now"),
        (0, ask.Pause(), "action/not_now"),
        (0, ask.Resume(), "action/not_now"),
        (0, ask.Extend(phase=1, seconds=60), "action/not_now"),
        (0, ask.CallOff(), "action/not_now"),
        (0, ask.Expire(phase=1), "action/not_now"),
        (0, ask.DealRoles(), "action/not_now"),
        (0, ask.OpenTable(), "action/not_now"),
        (HOST, ask.Say(channel="table", text="I am the host."), "action/not_now"),
        (HOST, ask.AskCountdown(phase=1), "action/not_now"),
        (HOST, ask.AskCallOff(), "action/not_now"),
        (HOST, Surrender(phase=1), "action/unknown_seat"),
        (SPECTATOR, ask.Say(channel="table", text="Boo!"), "action/unknown_seat"),
        (SPECTATOR, ask.AskCallOff(), "action/unknown_seat"),
        (SEATS, ask.AskCallOff(), "action/unknown_seat"),
        (TABLE, ask.DealRoles(), "action/unknown_seat"),
        (CLOCK, ask.CallOff(), "action/late"),
        (CLOCK, ask.Expire(phase=2), "action/late"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", GAMES)
def test_nobody_can_do_what_is_anothers_to_do(name: str, actor: int, action: Action, code: str) -> None:  # C2
    play = dealt(name)
    before = standing(play)
    assert refused(play, actor, action) == code
    assert standing(play) == before


@pytest.mark.parametrize("move", [ProposeTeam(phase=0, team=frozenset((0, 1))), Accuse(phase=0, target=1)], ids=repr)
@pytest.mark.parametrize("name", GAMES)
def test_nothing_can_be_played_before_the_deal(name: str, move: Move) -> None:  # C2
    play = laid(name)
    before = standing(play)
    assert refused(play, 0, move) in ("action/not_now", "game/not_dealt")
    assert standing(play) == before


@pytest.mark.parametrize("move", [ShootMerlin(phase=1, target=1), Surrender(phase=1)], ids=repr)
@pytest.mark.parametrize("name", UNTIMED)
def test_a_move_of_another_time_or_another_game_is_refused(name: str, move: Move) -> None:  # C2
    assert refused(dealt(name), 0, move) == "action/not_now"


def answer(options: Any, state: Any, move: Move) -> tuple[str, str]:
    """The refusal that a move meets, or nothing."""
    try:
        require_legal(options, state, move)
    except IllegalAction as refusal:
        return refusal.code, refusal.message
    return "", ""


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_may_do_and_why_not_follows_from_what_it_knows(name: str) -> None:  # C2, C4
    seats = 10
    asked = 0
    for play in random_game(name, seats):
        moves = {move for seat in range(seats) for option in play.options(seat) for move in list(option)[:2]}
        for seat in range(seats):
            view = play.view(seat)
            own = () if play.is_over else play.game.options(view, seat)
            assert play.options(seat) == own
            for move in moves:
                assert answer(play.options(seat), play.state, move) == answer(own, view, move)
                asked += 1
    assert asked


# Records


@pytest.mark.parametrize("name", GAMES)
def test_a_record_replays_to_the_same_bytes(name: str) -> None:  # C3
    play = finished(name)
    again = replay(play.game, play.entries)
    assert standing(again) == standing(play)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_can_be_taken_up_at_any_line_and_goes_on_the_same(name: str) -> None:  # C3
    play = finished(name)
    through = Play(play.game, play.entries[:1])
    for line, entry in enumerate(play.entries[1:], 1):
        taken_up = Play(play.game, play.entries[:line])
        for table in (taken_up, through):
            go_on(table, entry)
        assert record_of(taken_up)[-1] == encode(entry)
        assert state_of(taken_up) == state_of(through)
    assert standing(through) == standing(play)


def go_on(play: Table, entry: Entry) -> None:
    if isinstance(entry.action, ask.DealRoles):
        play.deal()
    else:
        play.act(entry.actor, entry.action, entry.id)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("avalon", {"lady": True, "excalibur": "both", "choose_quests": True, "roles": {"Oberon"}}),
        ("avalon", {"assassin": "duty", "merlin": True, "propose_seconds": 30}),
        ("thavalon", {}),
        ("thavalon", {"nine_evil": 4, "first_round": "paired"}),
        ("saviom", {}),
        ("saviom", {"mode": "advanced", "reveal_on_death": "role"}),
    ],
    ids=str,
)
def test_a_record_survives_being_written_down(name: str, options: dict[str, Any]) -> None:  # C3
    play = finished(name, 9, **options)
    codec = codec_of(play.game)
    entries = [codec.decode(Entry, line) for line in record_of(play)]
    assert entries == play.entries
    assert standing(replay(play.game, entries)) == standing(play)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"actor":0,"action":{"is":"Resume"},"id":"","events":[{"is":"Castled"}]}',
        b'{"actor":0,"action":{"is":"CastVote","phase":1,"approve":true},"id":"","events":[]}',
        b'{"actor":0,"action":{"is":"Accuse","phase":1,"target":"1"},"id":"","events":[]}',
        b'{"actor":true,"action":{"is":"Resume"},"id":"","events":[]}',
        b'{"actor":0,"action":{"is":"Resume"},"id":"","events":[],"more":1}',
        b'{"actor":0,"action":{"is":"Resume"},"id":""}',
    ],
)
def test_a_line_that_is_no_entry_of_this_game_is_unreadable(line: bytes) -> None:  # C3
    with pytest.raises(Unreadable):
        codec_of(GAMES["saviom"].game).decode(Entry, line)


def small_record() -> list[Entry]:
    """A table opened, with contributions, dealt, two votes under ids, and dusk: six lines."""
    play = laid()
    play.contribute(0, ENTROPY[0])
    play.deal()
    play.act(0, Accuse(phase=1, target=1), "first")
    play.act(1, Accuse(phase=1, target=0), "second")
    play.expire()
    return play.entries


Tamper = Callable[[list[Entry]], list[Entry]]


def at(line: int, **changes: Any) -> Tamper:
    """The record with that line (from 1) changed."""
    return lambda record: [*record[: line - 1], record[line - 1]._replace(**changes), *record[line:]]


def opening(record: list[Entry], *, seed: str) -> tuple[Event, ...]:
    return (record[0].events[0], happened.SeedSealed(audience=NOBODY, seed=seed))


@pytest.mark.parametrize(
    ("line", "tamper"),
    [
        pytest.param(1, lambda record: record[1:], id="no opening"),
        pytest.param(1, at(1, events=()), id="an empty opening"),
        pytest.param(1, lambda record: at(1, events=opening(record, seed="zz" * 32))(record), id="no seed"),
        pytest.param(1, lambda record: at(1, events=opening(record, seed="00"))(record), id="a short seed"),
        pytest.param(1, lambda record: at(1, events=opening(record, seed="00" * 32))(record), id="another seed"),
        pytest.param(1, at(1, actor=0), id="an opening by a seat"),
        pytest.param(1, at(1, action=ask.Pause()), id="an opening that is none"),
        pytest.param(2, at(2, action=ask.Contribute(entropy="ff" * 16)), id="another contribution"),
        pytest.param(2, at(2, actor=1), id="another contributor"),
        pytest.param(3, at(3, actor=0), id="a deal by a seat"),
        pytest.param(3, lambda record: at(3, events=record[2].events[1:])(record), id="a role left out"),
        pytest.param(3, lambda record: [*record[:2], *record[3:]], id="no deal"),
        pytest.param(2, lambda record: [record[0], *record[2:]], id="a contribution left out"),
        pytest.param(4, at(4, actor=2), id="another voter"),
        pytest.param(4, at(4, action=Accuse(phase=1, target=3)), id="another vote"),
        pytest.param(4, at(4, action=Accuse(phase=2, target=1)), id="a vote of another phase"),
        pytest.param(4, at(4, action=Accuse(phase=1, target=0)), id="an illegal vote"),
        pytest.param(4, at(4, events=()), id="an event left out"),
        pytest.param(5, lambda record: [*record[:4], *record[3:]], id="a line twice"),
        pytest.param(6, lambda record: [*record[:4], record[5], record[4]], id="two lines exchanged"),
        pytest.param(6, at(6, action=ask.Expire(phase=7)), id="another clock"),
        pytest.param(6, at(6, actor=0), id="a clock in a seat's hand"),
        pytest.param(6, lambda record: at(6, events=record[5].events[::-1])(record), id="events in another order"),
    ],
)
def test_a_tampered_record_is_refused_at_its_first_wrong_line(line: int, tamper: Tamper) -> None:  # C3
    record = small_record()
    assert record_of(replay(GAMES["saviom"].game, record)) == [encode(entry) for entry in record]
    with pytest.raises(BadRecord) as broken:
        replay(GAMES["saviom"].game, tamper(record))
    assert broken.value.code == "record/broken"
    assert broken.value.message.startswith(f"Line {line}: ")


def test_an_empty_record_is_refused() -> None:  # C3
    with pytest.raises(BadRecord):
        replay(GAMES["saviom"].game, [])


def test_a_record_without_its_opening_cannot_be_taken_up() -> None:  # C3
    with pytest.raises(BadRecord):
        Play(GAMES["saviom"].game, small_record()[1:])


def test_a_chosen_deal_says_so_in_the_record_and_replays() -> None:  # C3, C1
    play = saviom([Role.CITIZEN] * 5 + [Role.WOLF] * 2)
    play.expire()
    (deal,) = [entry.action for entry in play.entries if isinstance(entry.action, ask.DealRoles)]
    assert deal.chosen
    assert standing(replay(play.game, play.entries)) == standing(play)


# Ids


def test_the_same_id_gets_the_same_answer_and_acts_once() -> None:  # C3
    play = dealt()
    vote = Accuse(phase=1, target=1)
    first = play.act(0, vote, "a vote")
    after = standing(play)
    assert play.act(0, vote, "a vote") == first
    assert standing(play) == after
    play.expire()
    assert play.act(0, vote, "a vote") == first  # although the day is over


def test_a_refused_id_is_refused_again_with_the_same_words() -> None:  # C2
    play = dealt()
    answers = []
    for _ in range(2):
        with pytest.raises(IllegalAction) as refusal:
            play.act(0, Accuse(phase=2, target=1), "too soon")
        answers.append((refusal.value.code, refusal.value.message))
        play.expire()
    assert answers[0] == answers[1]


@pytest.mark.parametrize("first", [Accuse(phase=1, target=1), Accuse(phase=1, target=0)], ids=["accepted", "refused"])
def test_an_id_that_stood_for_another_action_is_refused(first: Move) -> None:  # C2
    play = dealt()
    with suppress(IllegalAction):
        play.act(0, first, "mine")
    assert refused(play, 0, Accuse(phase=1, target=2), "mine") == "action/id_reused"
    play.act(1, Accuse(phase=1, target=2), "mine")  # another seat's ids are its own


def test_accepted_ids_are_remembered_across_a_restart() -> None:  # C3
    play = used_id()
    again = Play(play.game, play.entries)
    assert again.act(0, Accuse(phase=1, target=1), "mine") == play.entries[-1]
    assert record_of(again) == record_of(play)
    assert refused(again, 0, Accuse(phase=1, target=2), "mine") == "action/id_reused"


@pytest.mark.parametrize("id", ["\ud800", "line\nbreak", "é", "x" * 65], ids=repr)
def test_an_id_that_a_record_cannot_keep_is_refused(id: str) -> None:  # C2, C3
    play = dealt()
    before = standing(play)
    assert refused(play, 0, Accuse(phase=1, target=1), id) == "action/bad_id"
    assert standing(play) == before


# The clock


def test_the_host_may_pause_and_no_time_runs_out_until_they_resume() -> None:  # S5
    play = dealt()
    play.act(HOST, ask.Pause())
    assert refused(play, CLOCK, ask.Expire(phase=1)) == "action/no_clock"
    play.act(0, Accuse(phase=1, target=1))
    play.act(HOST, ask.Resume())
    play.expire()
    assert play.phase.name == "night"


def test_a_pause_lasts_from_one_phase_to_the_next() -> None:  # S5
    play = dealt("avalon", propose_seconds=60, vote_seconds=60)
    play.act(HOST, ask.Pause())
    propose(play, [0, 1])
    assert play.phase.name == "vote"
    assert refused(play, CLOCK, ask.Expire(phase=2)) == "action/no_clock"


@pytest.mark.parametrize(
    ("action", "event"),
    [
        (ask.Pause(), happened.ClockPaused(audience=EVERYONE)),
        (ask.Extend(phase=1, seconds=90), happened.ClockExtended(audience=EVERYONE, seconds=90)),
    ],
    ids=repr,
)
@pytest.mark.parametrize(("name", "options"), [("saviom", {}), ("avalon", {"propose_seconds": 60})])
def test_pausing_and_extending_are_public_and_in_the_record(  # S5
    name: str, options: dict[str, Any], action: Action, event: Event
) -> None:
    play = dealt(name, **options)
    entry = play.act(HOST, action)
    assert entry.events == (event,)
    assert play.entries[-1] == entry
    assert [play.heard(listener)[-1].event for listener in everyone_at(play)] == [event] * (SEATS + 1)


@pytest.mark.parametrize("action", [ask.Pause(), ask.Resume()], ids=repr)
def test_to_pause_what_is_paused_and_resume_what_runs_is_harmless(action: Action) -> None:  # S5
    play = dealt()
    if isinstance(action, ask.Pause):
        play.act(HOST, action)
    before = play.heard(SPECTATOR)
    play.act(HOST, action)
    assert play.heard(SPECTATOR) == before


@pytest.mark.parametrize("seconds", [0, -5, 86_401])
def test_time_is_given_in_whole_seconds_up_to_a_day(seconds: int) -> None:  # S5, C6
    assert refused(dealt(), HOST, ask.Extend(phase=1, seconds=seconds)) == "action/not_allowed"
    assert refused(dealt("avalon"), HOST, ask.StartCountdown(phase=1, seconds=seconds)) == "action/not_allowed"


def test_only_the_current_phase_and_only_a_deadline_can_be_extended() -> None:  # S5
    assert refused(dealt(), HOST, ask.Extend(phase=2, seconds=60)) == "action/late"
    assert refused(dealt("avalon"), HOST, ask.Extend(phase=1, seconds=60)) == "action/no_clock"


# Countdowns


@pytest.mark.parametrize("name", UNTIMED)
def test_the_host_may_put_a_countdown_on_a_phase_without_a_clock(name: str) -> None:  # C6
    play = dealt(name)
    assert refused(play, CLOCK, ask.Expire(phase=1)) == "action/no_clock"
    play.act(HOST, ask.StartCountdown(phase=1, seconds=90))
    for listener in everyone_at(play):
        assert [event.seconds for event in heard(play, listener, happened.CountdownStarted)] == [90]
    play.expire()
    assert play.phase.number == 2


@pytest.mark.parametrize("name", UNTIMED)
@pytest.mark.parametrize(("seats", "needed"), [(5, 3), (6, 4), (7, 4), (10, 6)])
@pytest.mark.parametrize("seconds", [60, 15])
def test_more_than_half_of_the_seats_may_ask_for_a_countdown(  # C6
    name: str, seats: int, needed: int, seconds: int
) -> None:
    play = new_game(name, seats, SEED, **({} if seconds == 60 else {"countdown_seconds": seconds}))
    for seat in range(needed):
        assert heard(play, SPECTATOR, happened.CountdownStarted) == []
        play.act(seat, ask.AskCountdown(phase=1))
        if seat == 0:
            play.act(seat, ask.AskCountdown(phase=1))  # asking twice counts once
    for listener in everyone_at(play):
        assert [event.seat for event in heard(play, listener, happened.CountdownAsked)] == list(range(needed))
        assert [event.seconds for event in heard(play, listener, happened.CountdownStarted)] == [seconds]
    play.expire()
    assert play.phase.number == 2


def test_wishes_for_a_countdown_end_with_their_phase() -> None:  # C6
    play = dealt("avalon")
    for seat in range(3):
        play.act(seat, ask.AskCountdown(phase=1))
    propose(play, [0, 1])
    play.act(3, ask.AskCountdown(phase=2))
    assert heard(play, SPECTATOR, happened.CountdownStarted) == []
    assert refused(play, 4, ask.AskCountdown(phase=1)) == "action/late"


@pytest.mark.parametrize(("name", "options"), [("saviom", {}), ("avalon", {"propose_seconds": 60})])
def test_there_is_no_countdown_where_a_clock_runs_already(name: str, options: dict[str, Any]) -> None:  # C6
    play = dealt(name, **options)
    assert refused(play, 0, ask.AskCountdown(phase=1)) == "action/not_now"
    assert refused(play, HOST, ask.StartCountdown(phase=1, seconds=60)) == "action/not_now"


def test_a_second_countdown_is_refused_and_the_first_can_be_extended() -> None:  # C6, S5
    play = dealt("avalon")
    play.act(HOST, ask.StartCountdown(phase=1, seconds=60))
    assert refused(play, HOST, ask.StartCountdown(phase=1, seconds=60)) == "action/not_now"
    play.act(HOST, ask.Extend(phase=1, seconds=30))
    assert [event.seconds for event in heard(play, SPECTATOR, happened.ClockExtended)] == [30]


# Calling it off


def call_off_by_host(play: Table) -> None:
    play.act(HOST, ask.CallOff())


def call_off_by_seats(play: Table) -> None:
    for seat in range(SEATS // 2 + 1):
        assert play.outcome is None
        play.act(seat, ask.AskCallOff())
        if seat == 0:
            play.act(seat, ask.AskCallOff())  # asking twice counts once


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("call_off", [call_off_by_host, call_off_by_seats])
def test_a_game_called_off_has_no_winner_and_its_roles_and_seed_are_public(  # C7
    name: str, call_off: Callable[[Table], None]
) -> None:
    play = dealt(name)
    call_off(play)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.seats) == (None, ())
    for listener in everyone_at(play):
        asked = [event.seat for event in heard(play, listener, happened.CallOffAsked)]
        assert asked == ([] if call_off is call_off_by_host else [0, 1, 2, 3])
        assert play.view(listener).roles == play.state.roles
        (seals,) = heard(play, listener, happened.SecretsRevealed)
        assert [fact.seed for _, fact in seals.secret_facts if isinstance(fact, happened.SeedSealed)] == [SEED.hex()]


def test_half_of_the_seats_are_not_enough_to_call_a_game_off_in_any_phase() -> None:  # C7
    play = new_game("saviom", 6, SEED)
    for seat in range(3):
        play.act(seat, ask.AskCallOff())
    play.expire()
    assert play.outcome is None
    assert [event.seat for event in heard(play, SPECTATOR, happened.CallOffAsked)] == [0, 1, 2]
    play.act(5, ask.AskCallOff())  # wishes last from phase to phase
    assert play.is_over


@pytest.mark.parametrize(
    "action",
    [
        ask.AskCallOff(),
        ask.AskCountdown(phase=1),
        ask.Contribute(entropy="00" * 16),
        Accuse(phase=1, target=1),
        Surrender(phase=0),
    ],
    ids=repr,
)
@pytest.mark.parametrize("is_dealt", [True, False])
def test_after_the_end_nothing_more_can_be_asked_of_a_table(is_dealt: bool, action: Action) -> None:  # C7, C2
    play = dealt() if is_dealt else laid()
    play.act(HOST, ask.CallOff())
    before = standing(play)
    assert refused(play, 0, action) in ("game/over", "action/not_now")
    assert standing(play) == before


@pytest.mark.parametrize("action", [ask.CallOff(), ask.Pause(), ask.StartCountdown(phase=1, seconds=9)], ids=repr)
def test_after_the_end_the_host_and_the_clock_have_nothing_to_do(action: Action) -> None:  # C7, C2
    play = called_off()
    assert refused(play, HOST, action) == "game/over"
    assert refused(play, CLOCK, ask.Expire(phase=1)) == "game/over"


def test_a_table_called_off_before_the_deal_deals_no_more() -> None:  # C7
    play = laid()
    play.act(HOST, ask.CallOff())
    before = standing(play)
    with pytest.raises(IllegalAction):
        play.deal()
    assert standing(play) == before


# Games that were dealt here and played elsewhere


@pytest.mark.parametrize("name", GAMES)
def test_the_host_announces_every_ending_of_a_game_and_its_record_verifies(name: str) -> None:  # C3, C7
    game = dealt(name).game
    told = [(side, "told") for side in game.sides]
    for winner, reason in (*game.endings, *told, (None, "no_winner"), (None, "untold")):
        play = dealt(name)
        play.act(HOST, ask.AnnounceOutcome(winner=winner, reason=reason))
        assert play.outcome is not None
        assert (play.outcome.winner, play.outcome.reason) == (winner, reason)
        assert play.outcome.seats == (() if winner is None else game.seats_of(play.state, winner))
        assert all(play.view(listener).roles == play.state.roles for listener in everyone_at(play))
        assert record_of(replay(game, play.entries)) == record_of(play)


@pytest.mark.parametrize("name", GAMES)
def test_every_ending_of_a_played_game_can_be_announced(name: str) -> None:  # C7
    reasons = {reason for _, reason in dealt(name).game.endings}
    ends = [new_game(name, SEATS, bytes([seed]) * 32) for seed in range(6)]
    for play in ends:
        play_out(play, {seat: RandomBot() for seat in range(SEATS)}, Dice(3))
    assert {play.outcome.reason for play in ends if play.outcome and play.outcome.winner} <= reasons


@pytest.mark.parametrize(
    ("actor", "winner", "reason", "code"),
    [
        (0, "Good", "told", "action/not_now"),
        (CLOCK, "Good", "told", "action/late"),
        (HOST, "Wolves", "told", "action/not_allowed"),
        (HOST, "Good", "three_failures", "action/not_allowed"),
        (HOST, None, "called_off", "action/not_allowed"),
    ],
)
def test_an_ending_that_the_game_does_not_have_is_refused(
    actor: int, winner: str | None, reason: str, code: str
) -> None:
    play = dealt("avalon")
    assert refused(play, actor, ask.AnnounceOutcome(winner=winner, reason=reason)) == code
    assert not play.is_over
    assert refused(laid("avalon"), HOST, ask.AnnounceOutcome(winner="Good", reason="told")) == "game/not_dealt"


def test_without_merlin_no_ending_about_merlin_can_be_announced() -> None:  # A27, C7
    play = new_game("avalon", SEATS, bytes(32), merlin=False)
    offered = play.game.endings_of(play.state.setup)
    assert {reason for _, reason in offered} == {"three_successes", "three_failures", "five_rejections"}
    for winner, reason in set(play.game.endings) - set(offered):
        assert refused(play, HOST, ask.AnnounceOutcome(winner=winner, reason=reason)) == "action/not_allowed"
    play.act(HOST, ask.AnnounceOutcome(winner="Good", reason="three_successes"))
    assert play.is_over


# Talk


@pytest.mark.parametrize("text", ["", "   ", "\n", "two\nlines", "a\tb", "bell \a", "\x00", "\x7f", "\x85", "\ud800"])
def test_a_line_that_cannot_be_shown_is_refused(text: str) -> None:  # C2, C3
    play = dealt()
    before = standing(play)
    assert refused(play, 0, ask.Say(channel="table", text=text)) == "talk/text"
    assert standing(play) == before


def test_a_line_holds_at_most_five_hundred_characters() -> None:  # C2
    play = dealt()
    play.act(0, ask.Say(channel="table", text="n" * LONGEST_LINE))
    assert LONGEST_LINE == 500
    assert refused(play, 0, ask.Say(channel="table", text="n" * 501)) == "talk/text"


@pytest.mark.parametrize("text", ["x", "Không phải tôi!", "不是我", "לא אני", "🐺?"])
def test_people_talk_in_every_script_and_are_heard_as_they_spoke(text: str) -> None:  # C3
    play = dealt()
    play.act(0, ask.Say(channel="table", text=text))
    for listener in everyone_at(play):
        assert [(event.seat, event.text) for event in heard(play, listener, happened.Said)] == [(0, text)]
    codec = codec_of(play.game)
    assert [codec.decode(Entry, line) for line in record_of(play)] == play.entries


@pytest.mark.parametrize("name", GAMES)
def test_a_channel_that_is_not_yours_answers_the_same_whether_or_not_it_exists(name: str) -> None:  # C2, C4
    play = dealt(name)
    if name == "saviom":
        play.expire()
    others = [seat for seat in range(SEATS) if play.state.roles[seat] is not Role.WOLF]
    answers = set()
    for seat in others:
        for channel in ("wolves", "evil", "dead", "nowhere", ""):
            with pytest.raises(IllegalAction) as refusal:
                play.act(seat, ask.Say(channel=channel, text="Anyone?"))
            answers.add((refusal.value.code, refusal.value.message))
    assert [code for code, _ in answers] == ["talk/closed"]


def test_before_the_deal_nobody_talks_at_the_table() -> None:  # C2
    assert refused(laid(), 0, ask.Say(channel="table", text="Hello!")) == "talk/closed"


# Who is awaited


@pytest.mark.parametrize("name", GAMES)
def test_everybody_sees_who_is_awaited_and_nobody_sees_it_differently(name: str) -> None:  # C8
    for play in random_game(name):
        assert {play.view(listener).phase for listener in everyone_at(play)} == {play.phase}


# Claims and short remarks


@pytest.mark.parametrize(
    ("game", "phrase", "about", "word"),
    [
        ("avalon", "i_am", None, "Percival"),
        ("avalon", "i_examined", 4, "Evil"),
        ("thavalon", "i_played", None, "Reverse"),
        ("saviom", "i_saw", 2, "Wolf"),
        ("saviom", "i_protected", 3, None),
        ("saviom", "i_suspect", 0, None),
        ("avalon", "hello", None, None),
    ],
)
def test_a_claim_is_heard_by_those_who_hear_its_channel(
    game: str, phrase: str, about: int | None, word: str | None
) -> None:  # C4
    play = new_game(game, 6, SEED)
    play.act(1, ask.Remark(channel="table", phrase=phrase, about=about, word=word))
    for listener in (*range(6), SPECTATOR):
        (remarked,) = heard(play, listener, happened.Remarked)
        assert (remarked.seat, remarked.phrase, remarked.about, remarked.word) == (1, phrase, about, word)


CLAIMED = {"i_am": (None, "Percival"), "i_saw": (4, "Evil"), "i_examined": (4, "Evil"), "i_played": (None, "Fail")}


@pytest.mark.parametrize("phrase", CLAIMED)
@pytest.mark.parametrize("identity_claims", ["free", "forbidden"])
def test_the_phrase_book_of_a_table_without_claims_lacks_those_about_oneself(
    phrase: str, identity_claims: str
) -> None:  # A10
    play = new_game("avalon", 6, SEED, identity_claims=identity_claims)
    about, word = CLAIMED[phrase]
    remark = ask.Remark(channel="table", phrase=phrase, about=about, word=word)
    if identity_claims == "free" or phrase not in ("i_am", "i_saw"):
        assert play.act(1, remark).events
        return
    with pytest.raises(IllegalAction, match="This table plays without that phrase"):
        play.act(1, remark)
    with pytest.raises(IllegalAction) as refusal:
        play.act(1, ask.Remark(channel="table", phrase="nonsense", about=None, word=None))
    assert phrase not in refusal.value.values["phrases"]


@pytest.mark.parametrize(
    ("phrase", "about", "word"),
    [
        ("i_am", None, None),
        ("i_am", None, "King"),
        ("i_am", 2, "Merlin"),
        ("i_examined", None, "Evil"),
        ("i_examined", 6, "Evil"),
        ("i_examined", -1, "Evil"),
        ("i_played", None, "Reverse"),
        ("hello", 1, None),
        ("hello", None, "Evil"),
        ("i_protected", 3, None),  # a phrase of another game
        ("nonsense", None, None),
        ("", None, None),
    ],
)
def test_a_claim_that_makes_no_sense_is_refused(phrase: str, about: int | None, word: str | None) -> None:  # C2
    play = new_game("avalon", 6, SEED)
    assert refused(play, 1, ask.Remark(channel="table", phrase=phrase, about=about, word=word)) == "talk/text"
    assert refused(play, 1, ask.Remark(channel="evil", phrase=phrase, about=about, word=word)) == "talk/closed"


def test_the_refusals_of_one_seat_push_out_none_of_another() -> None:
    play = new_game("avalon", 5, SEED)
    late = CastVote(phase=99, approve=True)
    with pytest.raises(IllegalAction):
        play.act(1, late, "mine")
    for number in range(2 * REFUSALS_KEPT):
        with pytest.raises(IllegalAction):
            play.act(2, late, f"flood {number}")
    with pytest.raises(IllegalAction) as refused:
        play.act(1, CastVote(phase=98, approve=True), "mine")
    assert refused.value.code == "action/id_reused"
    with pytest.raises(IllegalAction) as refused:
        play.act(2, CastVote(phase=98, approve=True), "flood 0")  # forgotten
    assert refused.value.code == "action/late"
    assert len(play._refused[2]) == REFUSALS_KEPT


def test_a_view_of_the_first_events_is_their_fold_in_whatever_order_views_are_asked_for() -> None:
    play = play_out(new_game("avalon", 5, SEED), dict.fromkeys(range(5), RandomBot()), Dice(1))
    events = play.events_for(SPECTATOR)
    for count in (1, 3, len(events), 2, 4, len(events) - 1, 2):
        assert play.view(SPECTATOR, count).facts() == fold(play.game, events[:count]).facts()
    assert play.view(SPECTATOR).facts() == fold(play.game, events).facts()
