"""Ways for people to see and hold a table."""
