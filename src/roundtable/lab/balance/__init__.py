"""Is it fair? Every number of players and every set of roles, played out by the million and put on one page."""

from roundtable.lab.balance.measuring import TableResult, measure_tables
from roundtable.lab.balance.words import BalanceText
from roundtable.lab.balance.writing import ReportFolder

__all__ = ["BalanceText", "ReportFolder", "TableResult", "measure_tables"]
