"""Cuckoo with its rules alone: no text and no bot policies, so that every client uses its defaults."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(name="cuckoo", rules="cuckoo.game:Cuckoo", secrecy="cuckoo.secrecy:SECRECY")
