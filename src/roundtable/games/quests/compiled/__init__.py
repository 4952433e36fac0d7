"""What the compiled code of Avalon and THavalon shares (extra `lab`)."""
