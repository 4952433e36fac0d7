"""Town of Saviom in machine code."""

from roundtable.lab.kernels.saviom.kernel import SaviomKernel

KERNEL = SaviomKernel()

__all__ = ["KERNEL", "SaviomKernel"]
