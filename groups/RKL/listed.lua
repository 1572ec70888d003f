-- A node of a related processor with Rocket Lake's CPUID signature: LIKWID lists Rocket Lake's events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 1, cores_per_socket = 2, signature = 0xa0671 }
