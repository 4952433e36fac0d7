"""Games written down: every line of a table's record, so that it can be read, checked and taken up again."""

from roundtable.record.lines import Record, Recorder, read_record, write_record
from roundtable.record.verify import Verdict, verify_record

__all__ = ["Record", "Recorder", "Verdict", "read_record", "verify_record", "write_record"]
