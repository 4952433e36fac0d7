"""A seat for a person at a terminal, with bots in the others."""

from roundtable.clients.terminal.table import TerminalTable, human_seat, names_at_table
from roundtable.clients.terminal.voice import Voice

__all__ = ["TerminalTable", "Voice", "human_seat", "names_at_table"]
