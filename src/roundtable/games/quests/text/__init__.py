"""Every sentence about Avalon and THavalon together, by language."""
