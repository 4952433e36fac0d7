"""Saviom as the sage thinks about it: how others play, what moves are worth, who hides how."""
