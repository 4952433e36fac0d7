"""How bots that play every game play Town of Saviom."""
