"""Figures, each beside something measured in the same run."""
