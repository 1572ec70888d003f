-- Two sockets of one core each, with small caches, so that lists of a few MiB are enough.
return { arch = "zen3", sockets = 2, cores_per_socket = 1, l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 256 << 10, ways = 8 } }
