"""Cuckoo, 3 to 6 players: which bird of the nest is not like the others?"""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="cuckoo",
    rules="cuckoo.game:Cuckoo",
    text=("cuckoo.text",),
    secrecy="cuckoo.secrecy:SECRECY",
    policies={"careful": "cuckoo.bots:careful"},
)
