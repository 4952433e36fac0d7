"""Avalon one choice at a time, for many games side by side."""
