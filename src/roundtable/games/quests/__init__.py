"""What Avalon and THavalon share: teams, votes, quest cards and the assassination."""
