"""Every sentence about Town of Saviom, by language."""
