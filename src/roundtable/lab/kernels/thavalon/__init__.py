"""THavalon in machine code."""

from roundtable.lab.kernels.thavalon.kernel import KERNEL

__all__ = ["KERNEL"]
