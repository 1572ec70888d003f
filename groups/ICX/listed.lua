-- A node of a related processor with Ice Lake-SP's CPUID signature: LIKWID lists Ice Lake-SP's events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 2, cores_per_socket = 2, signature = 0x606a6 }
