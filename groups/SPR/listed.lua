-- A node of a related processor with Sapphire Rapids' CPUID signature: LIKWID lists Sapphire Rapids' events on it, and counts nothing
-- right.
return { arch = "skylakeX", sockets = 2, cores_per_socket = 2, signature = 0x806f8 }
