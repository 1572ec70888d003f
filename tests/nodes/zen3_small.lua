-- A node file that says what is otherwise: a core complex with 1 MiB of L3, so that data in memory are soon gone through.
return { arch = "zen3", l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 128 << 10, ways = 4 } }
