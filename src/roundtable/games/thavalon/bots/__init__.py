"""How bots that play every game play THavalon."""
