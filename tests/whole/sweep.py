# sweep.py - python3 sweep.py N: looks for the largest of 2^20 numbers, 2^17 lines, N times, in NumPy.
# SPDX-License-Identifier: GPL-3.0-or-later
import sys
import numpy

x = numpy.ones(1 << 20)
print(sum(x.max() for n in range(int(sys.argv[1]))))
