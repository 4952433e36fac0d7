"""A seat for a person at a terminal, with bots in the others."""

from roundtable.terminal.seating import is_marked, kind_of_bots, names_at_table, people, without_marks
from roundtable.terminal.table import TerminalTable
from roundtable.terminal.voice import Terminal

__all__ = ["Terminal", "TerminalTable", "is_marked", "kind_of_bots", "names_at_table", "people", "without_marks"]
