-- A node of a related processor with Tiger Lake's CPUID signature: LIKWID lists Tiger Lake's events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 1, cores_per_socket = 2, signature = 0x806c1 }
