-- Two sockets of one core each, with caches that lists of some MiB are soon through.
return { arch = "zen3", sockets = 2, cores_per_socket = 1, l2 = { size = 256 << 10, ways = 8 }, l3 = { size = 256 << 10, ways = 8 } }
