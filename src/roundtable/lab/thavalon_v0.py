"""THavalon for learners: seat by seat, all at once, or one seat among bots (docs/environments.md)."""

from roundtable.lab.environments.making import family

raw_env, env, parallel_env, learner_env = family("thavalon", __name__)

__all__ = ["env", "learner_env", "parallel_env", "raw_env"]
