"""Every sentence about Cuckoo, by language."""
