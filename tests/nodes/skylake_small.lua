-- Caches of a quarter of the usual size, so that streams pass through them quickly. SPDX-License-Identifier: GPL-3.0-or-later
return { arch = "skylakeX", l2 = { size = 256 << 10, ways = 16 }, l3 = { size = 352 << 10, ways = 11 } }
