-- Cascade Lake with caches of a quarter of the usual size, so that sweeps are short.
return { arch = "CLX", sockets = 1, cores_per_socket = 2, l2 = { size = 256 << 10, ways = 16 }, l3 = { size = 352 << 10, ways = 11 } }
