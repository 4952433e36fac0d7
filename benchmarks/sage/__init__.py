"""The sage: how other players are counted, its parameters tuned, and its strength measured (docs/bots.md)."""
