-- Zen 3 with NPS4: a socket is four NUMA domains of two channels each. Small caches, so that sweeps are short.
return { arch = "zen3", sockets = 1, cores_per_socket = 4, numa_domains = 4, channels = 2, l2 = { size = 256 << 10, ways = 8 },
    l3 = { size = 256 << 10, ways = 8 } }
