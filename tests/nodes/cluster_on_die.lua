-- A socket of two NUMA domains (cluster on die) with an agent and two channels each, and a small last cache.
return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, numa_domains = 2, channels = 2, agents = 1,
    l3 = { size = 512 << 10, ways = 16 } }
