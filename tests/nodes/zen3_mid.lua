-- Caches of an eighth of the usual size or less, so that sweeps are short, with room for every level of bandwidth saturation.
return { arch = "zen3", l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 256 << 10, ways = 8 } }
