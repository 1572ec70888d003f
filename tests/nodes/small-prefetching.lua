-- Prefetchers, random page frames and an L3 of 1 MiB.
return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, l3 = { size = 512 << 10, ways = 16 }, prefetchers = true, pages = "random" }
