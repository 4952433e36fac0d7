"""How much a live server carries: full games over real sockets, beside boardgame.io in the same run."""
