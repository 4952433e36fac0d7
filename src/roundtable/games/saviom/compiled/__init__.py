"""Town of Saviom in machine code (extra `lab`)."""
