"""What people read: the shell's catalogues, and events, moves, cards and scripts of any game as sentences."""
