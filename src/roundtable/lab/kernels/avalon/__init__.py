"""Avalon in machine code."""

from roundtable.lab.kernels.avalon.kernel import KERNEL

__all__ = ["KERNEL"]
