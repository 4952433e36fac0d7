"""The lab: games by the million, to see what is fair. It needs the extra: pip install 'roundtable[lab]'."""
