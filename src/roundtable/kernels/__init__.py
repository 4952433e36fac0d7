"""Tools for games in machine code and as numbers: compiling, chance, traces, vector environments (extra `lab`)."""
