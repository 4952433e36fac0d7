"""The careful bot compiled: the formulas of bots/careful, over the kernels' whole numbers."""
