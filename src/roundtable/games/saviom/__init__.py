"""Town of Saviom (Werewolf), 6 to 12 players."""

from roundtable.core.spec import GameSpec

SPEC = GameSpec(
    name="saviom",
    rules="roundtable.games.saviom.game:Saviom",
    text=("roundtable.games.saviom.text",),
    teller="roundtable.games.saviom.telling:SaviomTeller",
    narration="roundtable.games.saviom.narration:script",
    cards="roundtable.games.saviom.cards:SaviomCards",
)
