-- A node file of a processor that has four of the eight memory channels that its architecture may have, and a small last cache.
return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, channels = 4, l3 = { size = 512 << 10, ways = 16 } }
