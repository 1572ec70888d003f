-- programs.lua - programs on which laws are tested: their names, command lines, and how to run them.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- { name, command, cores = |nil: one, ranks = MPI processes |nil }; in a command BUILD is the build folder and WORK a folder for files.
local function pattern(name, words, cores)
    return { "pattern " .. name, ("BUILD/patterns/%s -c %s %s"):format(name, cores or "0", words), cores = cores, whole = true }
end

local function kernel(name, where, passes, cores)
    return { ("kernel %s %s"):format(name, where), ("likwid-bench -t %s -w %s -i %d"):format(name, where, passes), cores = cores,
        whole = true }
end

return {
    pattern("alu_saturation", "a registers 3072 512 b from_l2 3072 512"),
    pattern("address_aliasing", "a aliased 1 1024 b apart 2 1024"),
    pattern("arithmetic_intensity", "a ddot 8192 1 32 b dgemv 256 256 8"),
    pattern("atomic_updates", "a shared 32768 256 b own 32768 256", "0,1"),
    pattern("control_flow", "a random 65536 2 b sorted 65536 2"),
    pattern("excess_volume", "a partial 8192 1 1 16 b partial 8192 24 2 16"),
    pattern("false_sharing", "a in_turn 1000", "0,1"),
    pattern("ineffective_instructions", "a scalar 16 1024 64 b vector 16 1024 256 c remainders 7 1024 128"),
    pattern("latency_bound", "a random 4096 4096 6 b blocked 8192 4 8"),
    pattern("line_sharing", "a shared 1 50 b shared 256 20", "0,1"),
    pattern("load_imbalance", "a halved 1024 6", "0,1"),
    pattern("pipelining", "a chain 262144 b side_by_side 262144"),
    pattern("sparse_indirection", "a csr 16 128 512 b stencil 8 64 512"),
    pattern("split_loads", "a shifted 256 8 1000 b shifted_half 256 8 1000"),
    pattern("store_forwarding", "a halves 4096 96 b parts 4096 96"),
    pattern("strided_access", "a unit 524288 1 2 b strided 196608 8 2"),
    pattern("synchronisation", "a apart 96 9830", "0,1"),
    kernel("load", "S0:20kB:1", 200),
    kernel("copy", "S0:200kB:1", 20),
    kernel("store_avx", "S0:8MB:1", 1),
    kernel("copy_mem", "S0:8MB:1", 1),
    kernel("triad_avx", "S0:12MB:1", 2),
    kernel("daxpy_sp", "S0:1MB:1", 8),
    kernel("sum_sse", "S0:100kB:1", 100),
    kernel("peakflops_avx", "S0:20kB:1", 100),
    kernel("update_avx", "S0:12MB:2", 2, "0,1"),
    { "gzip", "gzip -6 -k -f WORK/numbers" },
    { "sqlite3", "sqlite3 -batch -init WORK/query.sql :memory: .exit" },
    { "lua", "lua5.4 WORK/sieve.lua 20000" },
    { "Fortran", "BUILD/tests/whole/heat 10" },
    { "MPI", "BUILD/tests/whole/ranks 16384 2", cores = "0,1", ranks = 2, whole = true },
    { "OpenMP", "BUILD/tests/whole/gradient 256 512 2", cores = "0,1", whole = true,
        environment = "OMP_NUM_THREADS=2 OMP_PROC_BIND=close" },
    { "branches", "BUILD/tests/whole/branches 50000" },
    -- regions so long that 5 % of a region's lines are more than the caches can hold modified
    { "channels", "BUILD/tests/whole/channels 8 256 24" },
    { "bzip2", "bzip2 -k -f WORK/numbers" },
    { "sort", "sort -o WORK/sorted WORK/numbers" },
    { "awk", "awk -f WORK/count.awk WORK/numbers" },
}
