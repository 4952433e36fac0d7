"""Every sentence about THavalon, by language."""
