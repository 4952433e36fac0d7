"""How people play Avalon: chances of their proposals, votes, cards and shots, fitted on recorded games."""
