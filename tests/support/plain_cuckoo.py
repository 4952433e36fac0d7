"""Cuckoo as its rules alone: no text, no policies. What the package leaves out, the program has to make up."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(name="cuckoo", rules="cuckoo.game:Cuckoo", secrecy="cuckoo.secrecy:SECRECY")
