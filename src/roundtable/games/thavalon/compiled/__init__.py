"""THavalon in machine code (extra `lab`)."""
