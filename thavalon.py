#!/usr/bin/env python3
"""Deals a game of THavalon: python3 thavalon.py Alice Bob Charlie Dave Eve

This file also reads on Pythons that are too old to run what it starts, so that it can say so.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("thavalon.py needs Python 3.11 or newer, and this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "src")
if not os.path.isdir(os.path.join(SOURCES, "roundtable")):
    sys.exit("thavalon.py needs the folder src of its project beside it; `make dist` there builds one that does not.")
sys.path.insert(0, SOURCES)

if __name__ == "__main__":
    from roundtable.cli.deal import deal_thavalon

    sys.exit(deal_thavalon())
