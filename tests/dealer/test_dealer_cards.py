"""Every card of every game is read and compared with the rulebook (T25)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from roundtable.bots.dice import Dice
from roundtable.core.catalogue import catalogue, read_sentences, role_key, word_key
from roundtable.core.play import Play
from roundtable.dealer.papers import Papers, papers_of, roles_in_the_deal
from roundtable.games import GAMES, game_named, make_setup
from roundtable.games.avalon.setup import OPTIONAL_ROLES
from roundtable.games.quests.roles import Role
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.text.cards import Cards, cards_of
from support.scenes import avalon, saviom, thavalon
from support.translations import FINISHED

NAMES = ("Alice", "Bob", "Chloé", "Đức", "Eve", "Frank", "Grace", "Hà", "Ivan", "Judy", "Kim", "Lê")
BAR = 40 * "-"
LANGUAGES = FINISHED

EVIL = {"Assassin", "Morgana", "Mordred", "Oberon", "Minion of Mordred", "Maelagant", "Agravaine", "Colgrevance"}


class Read(NamedTuple):
    """A card as a player reads it."""

    role: str
    side: str
    does: list[str]
    told: list[str]


def read(card: bytes, you_are: str = "You are ") -> Read:
    lines = card.decode().split("\n")
    bars = [number for number, line in enumerate(lines) if line == BAR]
    top, under_who, under_does, bottom = bars
    assert (top, under_who) == (0, 2)
    assert lines[1].startswith(you_are)
    role, _, side = lines[1].removeprefix(you_are).partition(" [")
    does, told = lines[under_who + 1 : under_does], lines[under_does + 1 : bottom]
    assert 1 <= len(does) <= 4
    assert all(line and line == line.strip() for line in does)
    assert told == [""] or all(line and line == line.strip() for line in told)
    assert not "".join(lines[bottom + 1 :]).strip(" ")  # blank lines, and the end of the last one
    assert lines[-1] == ""
    assert side.endswith("]")
    return Read(role, side.removesuffix("]"), does, [line for line in told if line])


def papers(play: Play[Any, Any], lang: str = "en", names: Sequence[str] = NAMES) -> Papers:
    return papers_of(GAMES[play.game.name], play, names[: play.state.setup.seats], lang)


def cards(play: Play[Any, Any]) -> list[Read]:
    laid = papers(play)
    return [read(laid[name]) for name in NAMES[: play.state.setup.seats]]


def dealt(name: str, seats: int, deals: int, **options: Any) -> Iterator[Play[Any, Any]]:
    setup = make_setup(name, seats, options)
    for number in range(deals):
        play = Play.open(game_named(name), setup, bytes([seats, number]) * 16)
        play.deal()
        yield play


# Whom each role sees, as the rulebook has it


def named(roles: Sequence[str], wanted: Iterable[str], but: int, line: str) -> list[str]:
    wanted = set(wanted)
    return [line.format(NAMES[seat]) for seat, role in enumerate(roles) if seat != but and role in wanted]


NOBODY = ["You see no one in this game."]


def seen_in_avalon(roles: Sequence[str], seat: int) -> list[str]:
    match roles[seat]:
        case "Merlin":  # A7, A8
            return named(roles, EVIL - {"Mordred"}, seat, "{} is Evil.") or NOBODY
        case "Percival":  # A9
            return named(roles, {"Merlin", "Morgana"}, seat, "{} is Merlin or Morgana.") or NOBODY
        case "Oberon" | "Loyal Servant":  # A7
            return []
        case _:  # A6
            return named(roles, EVIL - {"Oberon"}, seat, "{} is Evil.") or NOBODY


def seen_in_thavalon(roles: Sequence[str], seat: int) -> list[str]:
    match roles[seat]:
        case "Merlin":  # T6
            return named(roles, EVIL - {"Mordred"} | {"Lancelot"}, seat, "{} is Evil.")
        case "Percival":  # T7
            return named(roles, {"Merlin", "Morgana"}, seat, "{} is Merlin or Morgana.") or NOBODY
        case "Tristan":  # T8
            return named(roles, {"Iseult"}, seat, "{} is Iseult.")
        case "Iseult":
            return named(roles, {"Tristan"}, seat, "{} is Tristan.")
        case "Nimue":  # T9
            return sorted(set(roles) - {"Nimue"})
        case "Arthur":  # T10
            return sorted(set(roles) - EVIL - {"Arthur"})
        case "Lancelot" | "Titania":  # T13
            return []
        case "Colgrevance":  # T12
            return [f"{NAMES[other]} is {role}." for other, role in enumerate(roles) if role in EVIL and other != seat]
    seen = named(roles, EVIL - {"Colgrevance"} | {"Titania"}, seat, "{} is Evil.")  # T11
    if "Colgrevance" in roles:
        seen.append("Colgrevance is in the game too, but you can’t see them.")
    if "Titania" in roles:
        seen.append("One of the players you see is Titania, who is Good.")
    return seen


DAGGER = {
    "avalon": "You are the Assassin too: if three quests succeed, you strike at the player you think is Merlin.",
    "thavalon": "You are the Assassin: if three missions succeed, you make the call for Evil.",
}


def check_quest_cards(play: Play[Any, Any]) -> set[str]:
    """Every card of a quest game against the rulebook; the roles that were read."""
    game = play.game.name
    roles = [play.state.roles[seat] for seat in range(play.state.setup.seats)]
    for seat, card in enumerate(cards(play)):
        assert card.role == roles[seat]
        assert card.side == ("Evil" if roles[seat] in EVIL else "Good")
        seen = (seen_in_avalon if game == "avalon" else seen_in_thavalon)(roles, seat)
        if seat == play.state.assassin and roles[seat] != "Assassin":
            seen = [*seen, DAGGER[game]]
        told = sorted(card.told) if card.role in ("Nimue", "Arthur") else card.told
        assert told == seen, (roles, seat)
    return set(roles)


THAVALON_POOLS = {
    5: "Merlin Percival Tristan Iseult Lancelot Nimue Mordred Morgana Maelagant",
    6: "Merlin Percival Tristan Iseult Lancelot Mordred Morgana Maelagant",
    7: "Merlin Percival Tristan Iseult Lancelot Arthur Titania Mordred Morgana Maelagant",
    8: "Merlin Percival Tristan Iseult Lancelot Arthur Titania Mordred Morgana Maelagant Agravaine",
    9: "Merlin Percival Tristan Iseult Lancelot Arthur Titania Mordred Morgana Maelagant Agravaine",
    10: "Merlin Percival Tristan Iseult Lancelot Arthur Titania Mordred Morgana Maelagant Agravaine Colgrevance",
}


@pytest.mark.parametrize("seats", THAVALON_POOLS)
def test_every_card_of_thavalon_tells_what_its_role_may_know(seats: int) -> None:  # T25, T4, T6, T7, T8, T9, T10, T11
    read_roles = [check_quest_cards(play) for play in dealt("thavalon", seats, deals=60)]
    assert set().union(*read_roles) == set(THAVALON_POOLS[seats].split())


def test_nine_players_may_be_dealt_four_evil_cards() -> None:  # T25, T1
    for play in dealt("thavalon", 9, deals=10, nine_evil=4):
        check_quest_cards(play)
        assert sum(card.side == "Evil" for card in cards(play)) == 4


AVALON_ROLES = ("usual", "none", "Percival", "Oberon,Percival", "Morgana", "Mordred,Percival")


@pytest.mark.parametrize("seats", range(5, 11))
@pytest.mark.parametrize("roles", AVALON_ROLES)
def test_every_card_of_avalon_tells_what_its_role_may_know(seats: int, roles: str) -> None:  # T25, A6, A7, A8, A9
    for play in dealt("avalon", seats, deals=6, roles=roles):
        check_quest_cards(play)


@pytest.mark.parametrize("seats", range(5, 11))
def test_an_assassin_by_duty_is_told_so_and_without_merlin_there_is_none(seats: int) -> None:  # T25, A4, A27
    for play in dealt("avalon", seats, deals=10, assassin="duty"):
        check_quest_cards(play)
        assert sum(DAGGER["avalon"] in card.told for card in cards(play)) == 1
    for play in dealt("avalon", seats, deals=10, merlin="no", roles="Percival"):
        check_quest_cards(play)
        assert NOBODY in [card.told for card in cards(play) if card.role == "Percival"]


@pytest.mark.parametrize("mode", ["classic", "advanced"])
@pytest.mark.parametrize("seats", range(6, 13))
def test_every_card_of_saviom_tells_what_its_role_may_know(seats: int, mode: str) -> None:  # T25, S2, S3, S4
    for play in dealt("saviom", seats, deals=6, mode=mode):
        roles = [play.state.roles[seat] for seat in range(seats)]
        for seat, card in enumerate(cards(play)):
            assert card.role == roles[seat]
            assert card.side == ("Wolves" if roles[seat] == "Wolf" else "Citizens")
            assert card.told == (named(roles, {"Wolf"}, seat, "{} is a Wolf.") if roles[seat] == "Wolf" else [])


# What each role does: words that its card must have, since the rule turns on them
MUST_SAY = {
    "avalon": {
        "Merlin": ["Mordred", "Assassin", "three quests succeed"],  # A8, A20, A22
        "Percival": ["Merlin and Morgana", "not which is which"],  # A9
        "Loyal Servant": ["nothing but your own loyalty"],
        "Assassin": ["three quests succeed", "Merlin", "except for Oberon"],  # A6, A7, A22
        "Morgana": ["Percival", "just like Merlin", "except for Oberon"],  # A9
        "Mordred": ["Merlin doesn’t see you", "except for Oberon"],  # A8
        "Oberon": ["don’t know the other Evil players", "they don’t know you", "Merlin does see you"],  # A7
        "Minion of Mordred": ["except for Oberon", "Success or Fail"],  # A6, A17
    },
    "thavalon": {
        "Merlin": ["except Mordred", "Lancelot", "names you as Merlin"],  # T6, T24
        "Percival": ["Merlin and Morgana", "not which is which"],  # T7
        "Tristan": ["Iseult", "know each other", "as the Lovers"],  # T8, T24
        "Iseult": ["Tristan", "know each other", "as the Lovers"],
        "Lancelot": ["Success or Reverse", "To Merlin, you look Evil"],  # T17, T6
        "Nimue": ["which other roles", "not who has them", "names you as Nimue"],  # T9, T24
        "Arthur": [
            *("which other Good roles", "not who has them"),  # T10
            *("exactly two missions have failed", "at most one has succeeded"),  # T16
            *("may not declare while cards are being played", "count twice", "no mission before the fifth"),
        ],
        "Titania": ["Evil players see you as one of their own", "Colgrevance"],  # T11, T12
        "Mordred": ["Merlin doesn’t see you", "never Colgrevance"],  # T6, T11
        "Morgana": ["Percival", "just like Merlin", "never Colgrevance"],  # T7, T11
        "Maelagant": ["Success, Fail or Reverse", "never Colgrevance"],  # T17
        "Agravaine": [
            *("always play Fail", "you were on succeeds despite a Fail"),  # T17, T21
            *("vote on the next team opens", "fails instead", "never Colgrevance"),
        ],
        "Colgrevance": ["don’t see you", "role each of them has", "Titania doesn’t fool you"],  # T11, T12
    },
    "saviom": {
        "Wolf": ["By night", "as many Wolves as other players", "or more"],  # S8, S13
        "Citizen": ["by night, you sleep", "no Wolf is left alive"],  # S8, S13
        "Protector": ["Each night", "protect", "no one dies", "with the Citizens"],  # S9, S3
        "Seer": ["Each night", "whether they are a Wolf", "with the Citizens"],  # S10, S3
    },
}


@pytest.mark.parametrize(("game", "role"), [(game, role) for game, roles in MUST_SAY.items() for role in roles])
def test_a_card_says_what_its_role_does(game: str, role: str) -> None:  # T25
    text = power(game, role, "en").replace("\n", " ")
    assert [words for words in MUST_SAY[game][role] if words not in text] == []
    assert "  " not in text


def power(game: str, role: str, lang: str) -> str:
    return catalogue(lang, GAMES[game].text).text(role_key(role, "power"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_of_avalon_names_no_role_that_is_not_dealt(lang: str) -> None:  # A10, A27, T25
    optional = sorted(OPTIONAL_ROLES)
    for chosen in (some for count in range(5) for some in combinations(optional, count)):
        for merlin in ("yes", "no"):
            setup = make_setup("avalon", 10, {"roles": ",".join(chosen), "merlin": merlin})
            laid = cards_of(GAMES["avalon"], setup, NAMES[:10], lang)
            missing = [role for role in (*optional, "Merlin", "Assassin") if role not in setup.possible_roles]
            for role in set(setup.possible_roles):
                says_so = setup.role_variant(role) == "no_merlin_no_morgana"  # that Percival sees no one, and why
                assert says_so or [named for named in missing if named in (laid.power(role) or "")] == []
                assert missing or laid.power(role) == power("avalon", role, lang)


def test_a_card_of_avalon_names_the_dealt_roles_that_hide() -> None:  # A7, A8
    laid = cards_of(GAMES["avalon"], make_setup("avalon", 10, {"roles": "Mordred,Oberon"}), NAMES[:10])
    assert "except for Mordred" in (laid.power("Merlin") or "")
    assert all("except for Oberon" in (laid.power(role) or "") for role in ("Assassin", "Mordred", "Minion of Mordred"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_role_has_words_in_every_language(lang: str) -> None:  # T25
    for game, roles in MUST_SAY.items():
        powers = {key for key in read_sentences(GAMES[game].text[0], lang) if key.endswith(".power")}
        assert powers == {role_key(role, "power") for role in roles}
        assert all(word_key(role) in read_sentences(GAMES[game].text[-1], lang) for role in roles)
        assert max(len(line) for role in roles for line in power(game, role, lang).splitlines()) <= 100


# Start and DoNotOpen


def test_start_is_one_sentence_that_names_the_first_proposer() -> None:  # T25
    for play in dealt("thavalon", 7, deals=20):
        assert papers(play)["start"].decode() == f"{NAMES[play.state.leader]} makes the first proposal."


def test_start_also_says_who_holds_the_lady() -> None:  # T25, A23
    play = next(dealt("avalon", 8, deals=1, lady="yes"))
    leader = play.state.leader
    said = f"{NAMES[leader]} makes the first proposal. {NAMES[(leader - 1) % 8]} starts with the Lady of the Lake."
    assert papers(play)["start"].decode() == said


@pytest.mark.parametrize("begins_with", ["day", "night"])
def test_saviom_starts_with_the_phase_that_the_table_chose(begins_with: str) -> None:  # T25, S5
    said = papers(next(dealt("saviom", 6, deals=1, begins_with=begins_with)))["start"].decode()
    assert said.startswith(f"The game begins with a {begins_with}: ")
    assert said.endswith(".")
    assert "\n" not in said


def test_do_not_open_lists_both_teams() -> None:  # T25
    roles = [Role(name) for name in ("Merlin", "Mordred", "Tristan", "Maelagant", "Iseult")]
    shown = papers(thavalon(roles))["DoNotOpen"].decode()
    assert shown.rstrip(" \n").splitlines() == [
        *("Player -> Role", "", "GOOD TEAM:", "Alice -> Merlin", "Chloé -> Tristan", "Eve -> Iseult"),
        *("", "EVIL TEAM:", "Bob -> Mordred", "Đức -> Maelagant"),
    ]
    assert shown.endswith("\n")


@pytest.mark.parametrize("seats", range(6, 13))
def test_do_not_open_of_saviom_lists_citizens_and_wolves(seats: int) -> None:  # T25
    play = next(dealt("saviom", seats, deals=1, mode="advanced"))
    head, citizens, wolves = papers(play)["DoNotOpen"].decode().split("\n\n", 2)
    assert (head, citizens.splitlines()[0], wolves.splitlines()[0]) == ("Player -> Role", "CITIZENS:", "WOLVES:")
    listed = dict(line.split(" -> ") for line in (citizens + "\n" + wolves).splitlines() if " -> " in line)
    assert listed == {NAMES[seat]: play.state.roles[seat] for seat in range(seats)}


def test_which_roles_are_in_the_deal_is_said_where_everybody_knows_it() -> None:  # A10, S4, T13
    said = {game: roles_in_the_deal(cards_at(game, seats)) for game, seats in (("avalon", 7), ("saviom", 6))}
    assert said["avalon"] == "In the deal: Merlin, Percival, 2 × Loyal Servant, Assassin, Morgana, Oberon."
    assert said["saviom"] == "In the deal: 2 × Wolf, 4 × Citizen."
    assert roles_in_the_deal(cards_at("thavalon", 6)) == ""


def cards_at(game: str, seats: int) -> Cards:
    return cards_of(GAMES[game], make_setup(game, seats), NAMES[:seats])


# Sizes


def any_names(dice: Dice, seats: int) -> list[str]:
    return [f"{seat}{'ế' * dice.below(60)}{'x' * dice.below(10)}" for seat in range(seats)]


def sizes(play: Play[Any, Any], lang: str, names: Sequence[str]) -> tuple[int, ...]:
    laid = papers(play, lang, names)
    return tuple(len(text) for name, text in laid.items() if name != "start")


TABLES: list[tuple[str, dict[str, Any]]] = [
    ("thavalon", {}),
    ("thavalon", {"nine_evil": 4}),
    ("avalon", {}),
    ("avalon", {"roles": "Percival", "merlin": "no"}),
    ("avalon", {"roles": "Oberon,Percival", "assassin": "duty"}),
    ("saviom", {}),
    ("saviom", {"mode": "advanced"}),
]


@pytest.mark.parametrize(("game", "options"), TABLES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_sizes_follow_from_names_and_setup_whatever_is_dealt(  # T25
    game: str, options: dict[str, Any], lang: str
) -> None:
    dice = Dice(7)
    for seats in range(6, 11):
        for names in ([*"ABCDEFGHIJ"[:seats]], any_names(dice, seats)):
            seen = {sizes(play, lang, names) for play in dealt(game, seats, deals=12, **options)}
            assert len(seen) == 1
            *every_card, _spoiler, _seed = next(iter(seen))
            assert len(set(every_card)) == 1


def test_a_card_stays_in_sight_when_it_is_printed_to_a_terminal() -> None:  # T25
    for play in dealt("thavalon", 10, deals=20):
        for name in NAMES[:10]:
            assert papers(play)[name].count(b"\n") <= 23


# Vietnamese


def test_a_card_in_vietnamese_uses_the_words_of_the_vietnamese_edition() -> None:  # T25
    roles = [Role(name) for name in ("Loyal Servant", "Merlin", "Minion of Mordred", "Assassin", "Loyal Servant")]
    laid = papers(avalon(roles), "vi")
    assert read(laid["Alice"], "Bạn là ")[:2] == ("Bề Tôi Trung Thành", "Phe Xanh")
    assert read(laid["Bob"], "Bạn là ").told == ["Chloé thuộc Phe Đỏ.", "Đức thuộc Phe Đỏ."]
    assert read(laid["Chloé"], "Bạn là ")[:2] == ("Tay Sai", "Phe Đỏ")
    assert laid["start"].decode() == "Alice giữ thẻ Chỉ Huy và chọn đội đầu tiên."
    assert "PHE XANH:\nAlice -> Bề Tôi Trung Thành\n" in laid["DoNotOpen"].decode()


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_cards_in_vietnamese_tell_as_much_as_those_in_english(game: str, options: dict[str, Any]) -> None:  # T25
    for seats in range(6, 11):
        for play in dealt(game, seats, deals=4, **options):
            english, vietnamese = papers(play), papers(play, "vi")
            for name in NAMES[:seats]:
                ours, theirs = read(english[name]), read(vietnamese[name], "Bạn là ")
                assert [line.split(" ")[0] for line in ours.told if line.startswith(NAMES)] == [
                    line.split(" ")[0] for line in theirs.told if line.startswith(NAMES)
                ]
                assert (len(ours.does), len(ours.told)) == (len(theirs.does), len(theirs.told))


ENGLISH_WORDS = {"Evil", "Good", "Wolf", "Wolves", "Citizen", "Success", "Fail", "Reverse", "you", "the", "is", "quest"}


def test_no_english_word_strays_into_a_vietnamese_card() -> None:  # T25
    plays = [play for game, options in TABLES for play in dealt(game, 10, deals=6, **options)]
    for play in plays:
        text = b"\n".join(papers(play, "vi").values()).decode()
        assert not ENGLISH_WORDS & set(text.replace(",", " ").replace(".", " ").split())


def test_a_wolf_reads_the_pack_in_vietnamese() -> None:  # T25, S4
    roles = [SaviomRole(name) for name in ("Wolf", "Citizen", "Wolf", "Citizen", "Citizen", "Citizen")]
    laid = papers(saviom(roles), "vi")
    assert read(laid["Alice"], "Bạn là ").told == ["Chloé là Sói."]
    assert read(laid["Bob"], "Bạn là ").told == []
