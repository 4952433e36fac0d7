"""How people play Avalon: the games, the split, the fit and its figures."""
