"""Town of Saviom (Werewolf), 6 to 12 players."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="saviom",
    rules="roundtable.games.saviom.game:Saviom",
    text=("roundtable.games.saviom.text",),
    teller="roundtable.games.saviom.telling:SaviomTeller",
    narration="roundtable.games.saviom.narration:script",
    cards="roundtable.games.saviom.cards:SaviomCards",
    policies={"careful": "roundtable.games.saviom.bots.careful:careful"},
    speech="roundtable.games.saviom.bots.speaking:speech",
    kernel="roundtable.games.saviom.compiled.kernel:KERNEL",
    environment="roundtable.games.saviom.environment:ENVIRONMENT",
    belief="roundtable.games.saviom.belief:SaviomBelief",
    balance="roundtable.games.saviom.balance:BALANCE",
    sage="roundtable.games.saviom.sage.strategy:STRATEGY",
    secrecy="roundtable.games.saviom.secrecy:SECRECY",
)
