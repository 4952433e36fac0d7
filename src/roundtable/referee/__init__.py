"""A table for players' programs in any language: seating, limits, and who behaved how."""

from roundtable.referee.place import ProgramReport
from roundtable.referee.programs import Programs
from roundtable.referee.referee import Referee

__all__ = ["ProgramReport", "Programs", "Referee"]
