"""The load that a live server handles: full games over real sockets, beside other servers in the same run."""
