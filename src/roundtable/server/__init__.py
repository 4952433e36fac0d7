"""The server: an HTTP API for everything about rooms, sockets for play, on one machine with nothing to configure."""
