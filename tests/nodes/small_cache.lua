-- A node file of a processor with a small last cache, whose box census is short.
return { arch = "haswellEP", sockets = 1, cores_per_socket = 2, l3 = { size = 512 << 10, ways = 16 } }
