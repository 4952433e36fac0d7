"""What every test may rest on."""

from __future__ import annotations

import signal

# A shell that starts the tests in the background tells them to ignore Ctrl-C, and every program they start inherits it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
