"""Everything that can go wrong at a table.

    RoundTableError
     ├── SetupError       the table cannot start; lists every reason        setup/...
     │    └── NamesError  names that cannot each be a file of its own       names/...
     ├── IllegalAction    a seat asked for what it may not do now           action/..., talk/..., game/over
     ├── BadRecord        a record that no game could have left             record/...
     ├── FolderError      a folder that the dealer may or can not fill      folder/...
     ├── RoomRefused      a request that a room or server does not grant    room/..., server/...
     ├── NotConnected     a client that cannot reach its server             client/...
     ├── StudyError       a study that cannot be run or kept                study/...
     ├── PluginError      a game or bot of another package cannot be used   plugin/...
     └── Unreadable       text that is no event, action or setup of ours    text/...

Each has a stable `code` and `values` by name for programs, and a sentence for people in every language: what was
tried, why not, what would work. The sentence is `refusal.<family>.<name>` in the catalogues, or a variant of it:

    raise RoomRefused("room/full", "seats")     ->  refusal.room.full_seats
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log10
from typing import Any, NamedTuple, Self

from roundtable.core.catalogue import SOURCE, Catalogue, catalogue, listed, refusal_key, word_key
from roundtable.core.names import printable

NOTHING: Mapping[str, Any] = {}
LONGEST_SHOWN = 40  # characters
LONGEST_NUMBER = 128  # bits
MOST_LISTED = 40  # members of a list

# Values by name that are not shown as they are: words of the game, and lists of alternatives.
GAME_WORDS = frozenset(("role", "roles", "side"))
ALTERNATIVES = frozenset(("choices", "expected"))


class Problem(NamedTuple):
    """One reason for a refusal: a code, a variant of its sentence, and values by name, of plain JSON."""

    code: str
    variant: str = ""
    values: Mapping[str, Any] = NOTHING
    said: str = ""
    """The sentence as another program worded it, such as a server; it goes before the catalogue's."""

    @property
    def message(self) -> str:
        return self.text()

    def text(self, lang: str = SOURCE, catalogues: tuple[str, ...] = ()) -> str:
        """The sentence in a language, with the words of the game that these catalogues belong to."""
        if self.said:
            return printable(self.said)
        words = catalogue(lang, catalogues)
        filled = {name: _shown(name, value, words) for name, value in self.values.items() if name != "count"}
        try:
            return words.text(refusal_key(self.code), context=self.variant, count=self.values.get("count"), **filled)
        except KeyError:  # a code or variant of another package, which has no sentence for it
            return CODES.get(self.code, self.code)


def problem(code: str, variant: str = "", /, **values: Any) -> Problem:
    """A reason with its values by keyword."""
    return Problem(code, variant, values)


def shown(value: object) -> str:
    """A value as it can be put into any sentence: quoted, unprintable characters escaped, and cut short."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST_SHOWN else value[:LONGEST_SHOWN] + "…")
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"≈{'-' if value < 0 else ''}10^{int(value.bit_length() * log10(2))}"
    try:
        text = printable(repr(value))
    except Exception:  # brackets within brackets without end, or an object that cannot describe itself
        text = f"<{type(value).__name__}>"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def _shown(name: str, value: object, words: Catalogue) -> str:
    if isinstance(value, list | tuple):
        members = [_shown(name, member, words) for member in value[:MOST_LISTED]]
        members += ["…"] * (len(value) > MOST_LISTED)
        return listed(members, words, "or" if name in ALTERNATIVES else "")
    if name == "game":
        return words.find("game.name") or str(value).capitalize()
    if name in GAME_WORDS:
        return words.find(word_key(str(value))) or printable(str(value)[:LONGEST_SHOWN])
    return shown(value) if isinstance(value, int) else printable(str(value))


class RoundTableError(Exception):
    """Base of the tree; never raised itself. `raise IllegalAction("talk/text", most=500)`"""

    catalogues: tuple[str, ...] = ()
    """Packages with the catalogues of the game that the error is about, where it is about one."""

    def __init__(self, code: str, variant: str = "", /, **values: Any) -> None:
        super().__init__(code, variant)
        self.problems: tuple[Problem, ...] = (Problem(code, variant, values),)

    @classmethod
    def of(cls, problems: Iterable[Problem], catalogues: tuple[str, ...] = ()) -> Self:
        """An error with several reasons; its code and values are those of the first."""
        several = tuple(problems)
        error = cls(several[0].code, several[0].variant)
        error.problems, error.catalogues = several, catalogues
        return error

    @property
    def code(self) -> str:
        return self.problems[0].code

    @property
    def variant(self) -> str:
        return self.problems[0].variant

    @property
    def values(self) -> Mapping[str, Any]:
        return self.problems[0].values

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.text()

    def text(self, lang: str = SOURCE) -> str:
        """The sentence in a language, made when it is asked for: a flood of refusals must stay cheap."""
        return " ".join([problem.text(lang, self.catalogues) for problem in self.problems])

    def __str__(self) -> str:
        return self.text()


class SetupError(RoundTableError):
    """A table that cannot start, with every reason at once."""


class NamesError(SetupError):
    """Players' names that cannot be dealt to, with every fault at once."""


class IllegalAction(RoundTableError):
    """An action refused, in words that use only what the asking seat may know (C2)."""


class BadRecord(RoundTableError):
    """A record that cannot be replayed."""


class FolderError(RoundTableError):
    """A folder into which nothing was dealt; it is as it was before."""


class RoomRefused(RoundTableError):
    """A request that a live room or its server does not grant; nothing has changed."""


class NotConnected(RoundTableError):
    """A client that cannot reach its server, or was closed."""


class StudyError(RoundTableError):
    """A study that cannot be run, or whose games cannot be kept there."""


class PluginError(RoundTableError):
    """An entry point that does not lead to a whole game or bot."""


class Unreadable(RoundTableError):
    """Bytes or text that do not decode to one of our values."""


# Every code, with what it means. docs/errors.md explains them to players; a test keeps the two alike.
CODES = {
    "setup/seats": "The number of seats is outside the game's range.",
    "setup/role": "A role that the game does not know, or that cannot be chosen.",
    "setup/too_many_roles": "More special roles than the side has places.",
    "setup/pool": "A choice of roles from which the game cannot deal.",
    "setup/paired": "A first round with two teams, where another option rules that out.",
    "setup/option": "An option that the game does not have, or a value it does not take.",
    "setup/seed": "A seed that is not 32 bytes.",
    "setup/game": "There is no game of that name.",
    "setup/bot": "A bot that does not exist, or that cannot be given that seat.",
    "action/late": "The action answers a phase that is over, or has not begun.",
    "action/not_now": "This seat has no such action at this moment.",
    "action/not_allowed": "The kind of action is open to the seat, but not with this choice.",
    "action/unknown_seat": "There is no such seat at this table.",
    "action/bad_id": "An action id that is no short, printable text.",
    "action/id_reused": "An action id that already stands for another action.",
    "action/no_clock": "The phase has no deadline, or the clock is paused.",
    "action/too_often": "The seat has acted, or the member has changed the room, as often as one may.",
    "talk/closed": "The seat may not speak in that channel now.",
    "talk/text": "The line is empty, too long, or holds control characters or heaps of marks.",
    "game/over": "The game has ended.",
    "game/not_dealt": "The roles have not been dealt yet.",
    "record/broken": "The record does not follow from its own beginning.",
    "record/not_over": "The game is still being played, and what was asked for is not public yet.",
    "record/listener": "There is no such listener in this record.",
    "record/model": "The game has no such model of how players act.",
    "text/unreadable": "The text is not a value of this game.",
    "names/empty": "A name in which there is nothing to see.",
    "names/sign": "A name with a sign that paths are made of, or that some computers do not allow in a file's name.",
    "names/unprintable": "A name with control characters, line ends or marks that turn the direction of writing.",
    "names/edge": "A name that begins with a dot, or has a dot or a blank at its end.",
    "names/too_long": "A name of more than 200 bytes.",
    "names/reserved": "A name that belongs to another file of the deal, or to a device on Windows.",
    "names/alike": "Two names that people or some computers take for one.",
    "folder/occupied": "The folder holds something that is not a former deal.",
    "folder/unwritable": "The system did not let the dealer write there.",
    "talk/too_fast": "More lines of talk than the room takes in so short a time.",
    "talk/too_much": "More bytes of talk than a member may send in one game, or between two games.",
    "talk/silenced": "The host has taken the member's word away, or has switched the chat off.",
    "room/unknown": "There is no such room, or it is closed, or the token is not one of its members'.",
    "room/name": "A name in which there is nothing to see, or too much.",
    "room/full": "The room takes no more people.",
    "room/removed": "The host has removed them, or another member from the same address, and has not let them back.",
    "room/not_host": "Only the host may do that.",
    "room/no_member": "There is no such member in the room.",
    "room/seat": "There is no such seat, or it is not free, or no member or bot of that kind sits there.",
    "room/claim": "The claim to a seat cannot be made or granted, or not yet, or not by this member.",
    "room/stage": "That cannot be done before the game, during the game, or after it.",
    "room/not_ready": "The game cannot start yet; the message lists why.",
    "room/watching": "Only a member with a seat can do that.",
    "room/busy": "The server could not write it down; nothing has changed, and the same request may be sent again.",
    "server/full": "The server holds as many rooms or connections as it can.",
    "server/banned": "The operator keeps the network of the client out.",
    "server/door": "The server is private, and was not told its password.",
    "server/too_fast": "Too many requests or rooms of one network, or too many requests of one member or connection.",
    "server/unauthorised": "The request does not say whose it is.",
    "server/too_slow": "The connection did not read what was sent to it; come back and get the rest.",
    "server/host": "The server is not known under the name by which it was asked.",
    "server/origin": "The page that asks belongs to another site.",
    "server/too_large": "The request is larger than the server reads.",
    "server/unknown": "There is nothing at this address, or not for this method.",
    "server/broken": "The server made a mistake, which is written down; nothing was lost.",
    "plugin/broken": "A game or bot of another package that cannot be imported.",
    "plugin/wrong_kind": "An entry point that names something else than a game or a bot.",
    "plugin/incomplete": "A game without a part that was asked for.",
    "client/address": "An address that names no server, or another server than the client's.",
    "client/unreachable": "The server does not answer, or accepts no connections.",
    "client/closed": "The client has closed its connection to the table.",
    "study/missing": "The lab needs a package that is not installed.",
    "study/asked": "A study that asks for something that cannot be played.",
    "study/file": "A file or folder that belongs to something else.",
    "study/bot": "A bot in a study that failed, or chose what is not allowed.",
    "study/program": "A program in a study that ended, was late, or asked for what is not allowed.",
    "study/cluster": "The Ray cluster cannot be reached.",
}
