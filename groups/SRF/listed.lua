-- A node of a related processor with Sierra Forest's CPUID signature: LIKWID lists Sierra Forest's events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 2, cores_per_socket = 2, signature = 0xa06f3 }
