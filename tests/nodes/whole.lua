-- A node file with all properties: two sockets with four cores each.
-- Sizes in bytes, latencies in cycles. The L3 is given per slice; there is one slice per core.
return {
    arch = "haswellEP",
    cpu = "Intel(R) Xeon(R) CPU E5-26xx v3 (virtual)",
    signature = 0x306f2, -- CPUID leaf 1: family 6, model 63, stepping 2
    sockets = 2,
    cores_per_socket = 4,
    memory_bytes = 4 << 30, -- per socket, as shown to programs

    line = 64,
    page = 4096,
    l1i = { size = 32 << 10, ways = 8, latency = 0 },
    l1d = { size = 32 << 10, ways = 8, latency = 0 },
    l2 = { size = 256 << 10, ways = 8, latency = 12 },
    l3 = { size = 2560 << 10, ways = 20, latency = 34 },

    channels = 4,
    agents = 2,
    memory_latency = 200,
    remote_latency = 310,

    dtlb = { entries = 64, ways = 4 },
    itlb = { entries = 128, ways = 4 },
    stlb = { entries = 1024, ways = 8 },
    walk_latency = 30,

    branch_penalty = 15,
    instructions_per_cycle_x4 = 4, -- one a cycle: no fraction of a cycle is carried into a region
    clock_hz = 2300000000,
    uncore_hz = 2300000000,
}
