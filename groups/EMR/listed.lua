-- A node of a related processor with Emerald Rapids' CPUID signature: LIKWID lists Emerald Rapids' events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 2, cores_per_socket = 2, signature = 0xc06f2 }
