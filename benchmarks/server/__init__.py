"""The load that a live server handles: full games over real sockets, beside boardgame.io in the same run."""
