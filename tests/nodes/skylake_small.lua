-- Caches of a quarter, so that streams are soon through them. SPDX-License-Identifier: GPL-3.0-or-later
return { arch = "skylakeX", l2 = { size = 256 << 10, ways = 16 }, l3 = { size = 352 << 10, ways = 11 } }
