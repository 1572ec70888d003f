# product.py - python3 product.py N: multiplies two matrices of N * N numbers, in NumPy's BLAS: N^3 multiply-adds.
# SPDX-License-Identifier: GPL-3.0-or-later
import sys
import numpy

n = int(sys.argv[1])
print((numpy.ones((n, n)) @ numpy.ones((n, n))).sum())
