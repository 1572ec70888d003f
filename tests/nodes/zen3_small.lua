-- A node file that states only a difference: a core complex with 1 MiB of L3, so that sweeps over memory are short.
return { arch = "zen3", l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 128 << 10, ways = 4 } }
