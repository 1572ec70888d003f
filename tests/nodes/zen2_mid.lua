-- Zen 2 with caches of an eighth of the usual size or less, so that sweeps are short.
return { arch = "zen2", sockets = 1, cores_per_socket = 2, l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 256 << 10, ways = 8 } }
