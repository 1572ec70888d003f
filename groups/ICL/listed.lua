-- A node of a related processor with Ice Lake's CPUID signature: LIKWID lists Ice Lake's events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 1, cores_per_socket = 2, signature = 0x706e5 }
