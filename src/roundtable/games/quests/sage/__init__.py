"""The quest games as the sage thinks about them: how others play, what moves are worth, who hides how."""
