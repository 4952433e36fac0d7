"""Games for people round a real table: every player's card as a file of its own (T25)."""

from roundtable.dealer.dealing import Dealt, deal_to
from roundtable.dealer.languages import LANGUAGES
from roundtable.dealer.names import SPOILER, START, require_names

__all__ = ["LANGUAGES", "SPOILER", "START", "Dealt", "deal_to", "require_names"]
