-- A node of a related processor with Granite Rapids' CPUID signature: LIKWID lists Granite Rapids' events on it, and counts nothing right.
return { arch = "skylakeX", sockets = 2, cores_per_socket = 2, signature = 0xa06d1 }
