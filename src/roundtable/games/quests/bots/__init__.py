"""What bots know and do in both quest games."""
