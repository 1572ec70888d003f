-- A node of a related processor with Zen 5's CPUID signature: LIKWID lists Zen 5's events on it, and counts nothing right.
return { arch = "zen3", sockets = 1, cores_per_socket = 2, signature = 0xb00f21 }
