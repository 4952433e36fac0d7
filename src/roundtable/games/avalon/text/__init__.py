"""Every sentence about Avalon, by language."""
