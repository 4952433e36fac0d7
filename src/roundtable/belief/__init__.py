"""What a seat or an onlooker can conclude about who is who: exact beliefs over all deals (docs/belief.md)."""

from roundtable.belief.contract import Belief, Model, Possible, Situation, Viewpoints, shift
from roundtable.belief.models import PolicyModel, model_named, models_of
from roundtable.core.arguments import checked
from roundtable.core.seats import SPECTATOR
from roundtable.core.setup import Setup
from roundtable.core.spec import GameSpec

__all__ = [
    "Belief",
    "Model",
    "PolicyModel",
    "Possible",
    "Situation",
    "Viewpoints",
    "belief_of",
    "model_named",
    "models_of",
    "shift",
]


@checked
def belief_of(spec: GameSpec, setup: Setup, listener: int = SPECTATOR, model: object = None) -> Belief:
    """The belief of a seat or an onlooker who has heard nothing yet; `hear` takes what they hear, event by event."""
    belief: Belief = spec.part("belief")(spec.game, setup, listener, model)
    return belief
