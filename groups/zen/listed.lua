-- A node of a related processor with Zen's CPUID signature: LIKWID lists Zen's events on it, and counts nothing right.
return { arch = "zen3", sockets = 1, cores_per_socket = 2, signature = 0x800f12 }
