"""The rules of the three games, and the list of them."""
