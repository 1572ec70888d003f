-- Arithmetic intensity: DDOT, DGEMV and DGEMM in plain loops and by OpenBLAS, all operands in memory (patterns/arithmetic_intensity.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- R rows of N columns, R = 1 of a dot product. Each time begins with all operands in memory and ends with all results there, as everything
-- is flushed from the caches. What is read once and written once, in bytes; in parentheses for R = N:
--     dot product       2 N elements are read, one is written          16 N + 8          (a line)
--     matrix-vector     R N and N are read, R written, after their lines came (a store fills its line)
--                                                                      8 R N + 8 N + 16 R        (8 N^2 + 24 N)
--     matrices          R N of A, N^2 of B, and R N of C are read, R N of C written
--                                                                      8 N^2 + 24 R N            (32 N^2)
-- FLOPs are those of the disassembled functions: 2 R N and 2 R N^2, and the sum of a vector's lanes once a row. Their quotient with the
-- bytes is the arithmetic intensity: an eighth, a quarter, and N / 16 of square matrices.
--
-- Two bounds of a product of matrices. The loops go through all of B for each row of C; between two uses of a line of B lie all others, a
-- row of A and a row of C: 8 (N^2 + 2 N) bytes. Where the caches hold these (place_of), B is read once: with R = N the sizes up to about
-- 8 (N^2 + N) = the cache's bytes. Where they hold less than half of them, B is read R times, 8 R N^2, and the intensity is that of a
-- matrix-vector product, a quarter, however large the matrices are. What lies between is up to the replacement: nothing is claimed.
-- The row of A and that of C, with that of B which is added to it, stay in the caches; but as B goes through the last level it may take
-- from L1 what is there all the time (load_imbalance has the same).
--
-- Of OpenBLAS's functions, which are not counted in their machine code, it is known what they must do, and how they do the rest:
--     bytes     those of the operands, once, where the caches hold all of them and the copies of A and B that a product of matrices is
--               made from: less is impossible, and nothing makes it more. The copies lie in memory that the library keeps
--     FLOPs     2 R N or 2 R N^2, and what adds up the sums that were begun in parts, as its kernels for Haswell have it (disassembled,
--               0.3.21), which the program asks for on every processor. A dot product has four vectors of sums, and adds 0 at last; a row
--               times a vector has one vector for every 2048 columns, whose sum is scaled and added to y. An element of C is a sum of its
--               own for every 256 products, the first of which is no addition; it is scaled and added to C. Adding up a vector's lanes is
--               two operations of two lanes each
-- Its fused multiply-adds are two FLOPs, and one AVX calculation: an event for these tells nothing of FLOPs.
local LANES = { vectors = 4, scalars = 1 }
local DOUBLE = 8 -- bytes
local SELF_LINES = 8 -- of stack and code, which are used all the time
local VECTOR_SUMS = 4 -- of OpenBLAS's dot product (its FLOPs, above)
local COLUMNS, PRODUCTS = 2048, 256 -- of its rows and of its matrices, that one sum is made of
local FOLD = 4 -- FLOPs that add up the lanes of a vector
local FINISH = 2 -- that scale a sum and add it

local function whole_lines(at, bytes)
    return math.ceil(bytes / at.node.line_bytes) * at.node.line_bytes
end

-- What the caches must hold so that all of B is read once.
local function kept(at)
    local n, rows = at.point.n, at.point.rows
    return DOUBLE * (at.code.by_library and 2 * (n * n + rows * n) + rows * n or n * n + 2 * n)
end

-- How often all of B is read; nil: it is up to the replacement.
local function times_of_b(at)
    local place = place_of(kept(at), { capacity(at.machine, at.node, #at.node.caches, 1) })
    if place ~= 1 and at.code.by_library then
        return nil -- its blocks read it more often, but less than once a row
    end
    return place and (place == 1 and 1 or at.point.rows)
end

-- Bytes that a time reads, and writes; nil: nothing is claimed.
local function bytes_of(at)
    local n, rows = at.point.n, at.point.rows
    if at.code.product ~= "matrices" then
        local result = whole_lines(at, DOUBLE * rows)
        return DOUBLE * (rows * n + n) + result, result
    end
    local times, row = times_of_b(at), DOUBLE * n
    if times then
        return rows * row + times * n * row + rows * row, rows * row
    end
end

-- Bytes that may come back in a time, and that go for it: L1 keeps x, or the row of C, which is modified, stack and code. They come back as
-- often as what the loops go through, A or B, fills the directory of the last level anew.
local function taken_back(at)
    local n, rows, line = at.point.n, at.point.rows, at.node.line_bytes
    local is_gemm = at.code.product == "matrices"
    local uses = is_gemm and times_of_b(at) or rows
    if uses == 1 then
        return 0, 0 -- a dot product has nothing that stays, and B that stays leaves the directory as it is
    end
    local fills = DOUBLE * uses * n * (is_gemm and n or 1) / line / directory_lines(at.machine, at.node)
    return fills * (DOUBLE * n + SELF_LINES * line), fills * ((is_gemm and DOUBLE * n or 0) + SELF_LINES * line)
end

-- What a region reads, writes, or both; the value is in the middle of none and all that is taken back.
local function bytes(reads, writes)
    return function(at)
        local read, written = bytes_of(at)
        if not read then
            return nil
        end
        local fetched, given_up = taken_back(at)
        local back = at.point.times * (reads * fetched + writes * given_up) / 2
        local value = at.point.times * (reads * read + writes * written) + back
        return {
            min = value - back,
            value = value,
            max = value + back,
            terms = { { name = "replacement", amount = back }, { name = "replacement", amount = -back } },
        }
    end
end

local read, moved = bytes(1, 0), bytes(1, 1)

-- Of square matrices, which write a quarter of all. The results of the others are as few as what the system writes besides.
local function written(at)
    return at.code.product == "matrices" and at.point.rows == at.point.n and bytes(0, 1)(at) or nil
end

local function inner_of(at)
    local inner = at.called[at.code.inner]
    if inner.pass.flops ~= 2 * LANES[at.code.width] then
        error("a pass of the inner loop is no vector, or no scalar; compile it without unrolling or fused multiply-adds")
    end
    return inner
end

-- All of a region by that name: a row calls the inner loop, that of a product of matrices N times.
local function count(at, event)
    local inner, row = inner_of(at), at.called.multiply_row
    local call = inner.constant[event] + at.point.n // LANES[at.code.width] * inner.pass[event]
    if row then
        call = row.constant[event] + at.point.n * (row.pass[event] + call)
    end
    return at.point.times * (at.parts.constant[event] + at.point.rows * (at.parts.pass[event] + call))
end

-- What the events count of the code, { [event] = weight }.
local function weighed(at, weights)
    local sum = 0
    for event, weight in pairs(weights) do
        sum = sum + weight * count(at, event)
    end
    return sum
end

-- FLOPs of OpenBLAS that add up what was begun in parts.
local function flops_besides(at)
    local n, rows = at.point.n, at.point.rows
    if at.code.product == "matrices" then
        return rows * n * math.ceil(n / PRODUCTS) * (FINISH - 1)
    end
    return rows == 1 and LANES.vectors * (VECTOR_SUMS - 1) + FOLD + 1 or rows * math.ceil(n / COLUMNS) * (FOLD + FINISH)
end

local function flops_of_library(at)
    local inner = at.code.product == "matrices" and at.point.n or 1
    return at.point.times * (2 * at.point.rows * at.point.n * inner + flops_besides(at))
end

local function flops(at)
    return at.code.by_library and flops_of_library(at) or count(at, "flops")
end

-- Where there are none, those of the code are the work.
local function or_none(amount, at)
    return amount > 0 and amount or none_of(flops(at))
end

local function operations(at)
    return not at.code.by_library and or_none(weighed(at, at.weights), at) or nil
end

local function wide_flops(at)
    return not at.code.by_library and or_none(LANES.vectors * weighed(at, { fp_256_dp = 1 }), at) or nil
end

-- Of the FLOPs those that the event sees.
local function seen_flops(at)
    if not at.code.by_library then
        return or_none(weighed(at, at.weights), at)
    end
    return at.weights.avx_calc and { none = "OpenBLAS's fused multiply-adds are two FLOPs each, and one AVX calculation" }
        or flops_of_library(at)
end

local function intensity(at)
    local all, seen = moved(at), seen_flops(at)
    if not all or type(seen) == "number" then
        return all and { min = seen / all.max, value = seen / all.value, max = seen / all.min }
    end
    return seen.none and seen or none_of(seen.work / all.value)
end

return pattern {
    name = "arithmetic_intensity",
    title = "Arithmetic intensity",
    class = "work",
    about = "How many operations a code makes of each byte from memory, which says what bounds it: few of a dot product, as many as "
        .. "one likes of a product of matrices whose operands fit into a cache.",
    desired = "Floating-point operations over the data volume between the last level cache and memory, in one region",
    advice = "Below the intensity at which a core's peak meets the memory's bandwidth (the roofline's knee) use each byte more often: "
        .. "block loops so that what is used again still lies in a cache, fuse loops over the same arrays, and store less of what can "
        .. "be calculated again. Above it look at vectors and dependences instead.",
    codes = {
        code { name = "ddot", runs = "multiply_vector", calls = { "dot_vectors" }, inner = "dot_vectors", width = "vectors" },
        code { name = "dgemv", runs = "multiply_vector", calls = { "dot_vectors" }, inner = "dot_vectors", width = "vectors" },
        code {
            name = "dgemm",
            runs = "multiply_matrix",
            calls = { "multiply_row", "add_vectors" },
            inner = "add_vectors",
            width = "vectors",
            product = "matrices",
        },
        code { name = "ddot_scalar", runs = "multiply_vector", calls = { "dot_scalars" }, inner = "dot_scalars", width = "scalars" },
        code { name = "dgemv_scalar", runs = "multiply_vector", calls = { "dot_scalars" }, inner = "dot_scalars", width = "scalars" },
        code {
            name = "dgemm_scalar",
            runs = "multiply_matrix",
            calls = { "multiply_row", "add_scalars" },
            inner = "add_scalars",
            width = "scalars",
            product = "matrices",
        },
        code { name = "ddot_openblas", needs = "openblas", by_library = true },
        code { name = "dgemv_openblas", needs = "openblas", by_library = true },
        code { name = "dgemm_openblas", needs = "openblas", by_library = true, product = "matrices" },
    },
    parameters = { "n", "rows", "times" },
    placements = { "core" },
    points = {
        point { code = "ddot", n = 8192, rows = 1, times = 64, quick = true },
        point { code = "ddot", n = 32768, rows = 1, times = 32, quick = true },
        point { code = "ddot", n = 262144, rows = 1, times = 8 },
        point { code = "dgemv", n = 256, rows = 256, times = 16, quick = true },
        point { code = "dgemv", n = 512, rows = 512, times = 8, quick = true },
        point { code = "dgemv", n = 1024, rows = 1024, times = 4 },
        point { code = "dgemm", n = 32, rows = 32, times = 256, quick = true },
        point { code = "dgemm", n = 64, rows = 64, times = 64, quick = true },
        point { code = "dgemm", n = 128, rows = 128, times = 16 },
        point { code = "dgemm", n = 1152, rows = 2, times = 1, quick = true }, -- B is 10 MiB
        point { code = "dgemm", n = 2944, rows = 2, times = 1 }, -- and 66 MiB
        point { code = "ddot_scalar", n = 8192, rows = 1, times = 64, quick = true },
        point { code = "ddot_scalar", n = 32768, rows = 1, times = 32 },
        point { code = "dgemv_scalar", n = 256, rows = 256, times = 16, quick = true },
        point { code = "dgemv_scalar", n = 512, rows = 512, times = 8 },
        point { code = "dgemm_scalar", n = 32, rows = 32, times = 256, quick = true },
        point { code = "dgemm_scalar", n = 64, rows = 64, times = 64 },
        point { code = "ddot_openblas", n = 32768, rows = 1, times = 32 },
        point { code = "ddot_openblas", n = 262144, rows = 1, times = 8 },
        point { code = "dgemv_openblas", n = 512, rows = 512, times = 8 },
        point { code = "dgemv_openblas", n = 2560, rows = 128, times = 4 },
        point { code = "dgemm_openblas", n = 64, rows = 64, times = 64 },
        point { code = "dgemm_openblas", n = 128, rows = 128, times = 16 },
        point { code = "dgemm_openblas", n = 320, rows = 160, times = 4 },
    },
    quantities = {
        quantity { name = "arithmetic intensity at memory", expect = intensity },
        quantity { name = "performance", expect = seen_flops },
        quantity { name = "AVX operations", expect = operations, optional = true },
        quantity { name = "AVX FLOPs DP", expect = wide_flops, optional = true },
        quantity { name = "FLOPs DP", expect = flops, optional = true },
        quantity { name = "FLOPs", expect = flops, optional = true },
        quantity { name = "L3-MEM load volume", expect = read },
        quantity { name = "L3-MEM evict volume", expect = written },
        quantity { name = "L3-MEM total volume", expect = moved },
        quantity { name = "memory volume", expect = moved, optional = true },
        quantity { name = "memory read volume", expect = read },
    },
    -- What the first touch and the flush take, and what the caches serve; a library loads vectors, each several times.
    cost = function(at)
        local elements = at.point.n * at.point.rows + (at.code.product == "matrices" and at.point.n * at.point.n or at.point.n)
        local accesses = at.code.by_library and flops_of_library(at) / LANES.vectors or count(at, "loads") + count(at, "stores")
        return (at.point.times + 1) * elements + accesses / 2
    end,
}
