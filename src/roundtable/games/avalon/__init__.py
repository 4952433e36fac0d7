"""The Resistance: Avalon, 5 to 10 players."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="avalon",
    rules="roundtable.games.avalon.game:Avalon",
    text=("roundtable.games.avalon.text", "roundtable.games.quests.text"),
    teller="roundtable.games.avalon.telling:AvalonTeller",
    narration="roundtable.games.avalon.narration:script",
    cards="roundtable.games.avalon.cards:AvalonCards",
    policies={"careful": "roundtable.games.avalon.bots.careful:careful"},
    sage="roundtable.games.avalon.sage:STRATEGY",
    speech="roundtable.games.avalon.bots.speaking:speech",
    kernel="roundtable.games.avalon.compiled.kernel:KERNEL",
    environment="roundtable.games.avalon.environment:ENVIRONMENT",
    belief="roundtable.games.avalon.belief:AvalonBelief",
    people="roundtable.games.avalon.people.model:people",
    balance="roundtable.games.avalon.balance:BALANCE",
    secrecy="roundtable.games.avalon.secrecy:SECRECY",
)
