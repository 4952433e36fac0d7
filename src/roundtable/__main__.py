"""`python -m roundtable`."""

import sys

from roundtable.cli import main

sys.exit(main())
