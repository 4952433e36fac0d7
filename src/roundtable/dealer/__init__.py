"""Games for people at a real table: every player's card as a file of its own (T25)."""

from roundtable.dealer.dealing import Dealt, deal_to, report_of
from roundtable.dealer.names import SEED_PAPER, SPOILER, START, require_names

__all__ = ["SEED_PAPER", "SPOILER", "START", "Dealt", "deal_to", "report_of", "require_names"]
