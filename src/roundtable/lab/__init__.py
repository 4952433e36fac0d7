"""The lab: simulations, balance and environments for learners. It needs packages that are installed as an extra."""
