"""Avalon in machine code (extra `lab`)."""
