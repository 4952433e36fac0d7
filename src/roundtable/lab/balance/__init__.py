"""Is it fair? Every number of players and every set of roles, played out by the million and put on one page."""

from roundtable.lab.balance.measuring import Line, lines_of
from roundtable.lab.balance.writing import Account

__all__ = ["Account", "Line", "lines_of"]
