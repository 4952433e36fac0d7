"""THavalon: Avalon in which every player has a role with a power, 5 to 10 players."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="thavalon",
    rules="roundtable.games.thavalon.game:Thavalon",
    text=("roundtable.games.thavalon.text", "roundtable.games.quests.text"),
    teller="roundtable.games.thavalon.telling:ThavalonTeller",
    narration="roundtable.games.thavalon.narration:script",
    cards="roundtable.games.thavalon.cards:ThavalonCards",
    policies={"careful": "roundtable.games.thavalon.bots.careful:careful"},
    sage="roundtable.games.thavalon.sage:STRATEGY",
    speech="roundtable.games.thavalon.bots.speaking:speech",
    kernel="roundtable.games.thavalon.compiled.kernel:KERNEL",
    environment="roundtable.games.thavalon.environment:ENVIRONMENT",
    belief="roundtable.games.thavalon.belief:ThavalonBelief",
    balance="roundtable.games.thavalon.balance:BALANCE",
    secrecy="roundtable.games.thavalon.secrecy:SECRECY",
)
