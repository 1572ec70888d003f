-- A node of a related processor with Broadwell-DE's CPUID signature: LIKWID lists Broadwell-DE's events on it, and counts nothing right.
return { arch = "broadwellEP", sockets = 1, cores_per_socket = 2, signature = 0x50663 }
