"""How large a card can become at a table: what the names and the setup say, whoever is dealt what (T25)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from roundtable.core.seats import NOBODY, Seat
from roundtable.core.setup import Setup
from roundtable.dealer.cards import Names, quest_card, saviom_card
from roundtable.dealer.words import Words
from roundtable.games.avalon import deal as avalon
from roundtable.games.avalon.setup import AvalonSetup
from roundtable.games.quests.events import RoleDealt
from roundtable.games.quests.roles import EVIL_ROLES, Glimpse, Role, Sight
from roundtable.games.saviom.events import RoleDealt as SaviomRoleDealt
from roundtable.games.saviom.setup import Role as SaviomRole
from roundtable.games.saviom.setup import SaviomSetup
from roundtable.games.thavalon import deal as thavalon
from roundtable.games.thavalon.setup import ThavalonSetup

BLANKS = 79  # in a line that fills up: so there are few of them, and `cat` leaves the card in sight


def padded(text: str, size: int) -> bytes:
    """A text as exactly so many bytes: blank lines follow after its end."""
    written = text.encode()
    missing = size - len(written)
    if missing < 0:
        raise ValueError(f"A text of {len(written)} bytes does not fit into {size}.")
    lines, rest = divmod(missing, BLANKS + 1)
    last = b" " * (rest - 1) + b"\n" if rest else b""
    return written + (b" " * BLANKS + b"\n") * lines + last


def card_size(setup: Setup, names: Names, words: Words) -> int:
    """The size of every card at this table: no card that could be dealt here is larger."""
    return max(len(text.encode()) for text in fullest_cards(setup, names, words))


def possible_roles(setup: Setup) -> Sequence[str]:
    """Every role that may lie at this table, as often as it may; everybody can work them out."""
    match setup:
        case AvalonSetup() | SaviomSetup():
            return setup.all_roles
        case ThavalonSetup():
            return setup.good_pool + setup.evil_pool
    raise ValueError(f"There are no cards for {setup.game}.")


def fullest_cards(setup: Setup, names: Names, words: Words) -> Iterator[str]:
    """For every role that may come up, a card that tells at least as much as any deal could."""
    longest = sorted(range(len(names)), key=lambda seat: len(names[seat].encode()), reverse=True)
    match setup:
        case AvalonSetup():
            duty = EVIL_ROLES if setup.has_duty else frozenset[Role]()
            fullest = fullest_tellings(setup.all_roles, avalon.SIGHTS, duty, longest)
            yield from (quest_card(setup.game, dealt, names, words) for dealt in fullest)
        case ThavalonSetup():
            pool = setup.good_pool + setup.evil_pool
            fullest = fullest_tellings(pool, thavalon.SIGHTS, EVIL_ROLES, longest)
            yield from (quest_card(setup.game, dealt, names, words) for dealt in fullest)
        case SaviomSetup():
            pack = longest[: setup.all_roles.count(SaviomRole.WOLF) - 1]
            for role in dict.fromkeys(setup.all_roles):
                met = pack if role is SaviomRole.WOLF else ()
                yield saviom_card(SaviomRoleDealt(audience=NOBODY, seat=longest[-1], role=role), met, names, words)


def fullest_tellings(
    pool: tuple[Role, ...], sights: Iterable[Sight], assassins: Collection[Role], longest: Sequence[Seat]
) -> Iterator[RoleDealt]:
    """What each role could be told at most: all that may be there to be seen, under the longest names; or nobody."""
    for role in dict.fromkeys(pool):
        others = list(pool)
        others.remove(role)
        rows = [row for row in sights if role in row.viewers]
        crowd = [Glimpse(seen_as=row.seen_as, seats=tuple(longest[: most_seen(row, others)])) for row in rows]
        nobody = [Glimpse(seen_as=row.seen_as, seats=()) for row in rows]
        for sees in (crowd, nobody):
            yield RoleDealt(
                audience=NOBODY,
                seat=longest[-1],
                role=role,
                sees=tuple(sees),
                roles_in_game=thavalon.roles_known_to(role, pool),
                notices=thavalon.notices_to(role, pool),
                is_assassin=role in assassins,
            )


def most_seen(row: Sight, others: Iterable[Role]) -> int:
    return sum(role in row.seen for role in others)
