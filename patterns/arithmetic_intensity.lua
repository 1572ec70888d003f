-- Arithmetic intensity: DDOT, DGEMV and DGEMM in plain loops and by OpenBLAS, all operands in memory (patterns/arithmetic_intensity.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- R rows of N columns; R = 1 for a dot product. The caches are flushed before and after each execution, so all operands come from memory
-- and all results get there. Bytes if everything is read once and written once (in parentheses: R = N):
--     dot product       reads 2 N elements, writes one                 16 N + 8          (a line)
--     matrix-vector     reads R N, N and R elements (a store first reads its line), writes R
--                                                                      8 R N + 8 N + 16 R        (8 N^2 + 24 N)
--     matrices          reads R N of A, N^2 of B and R N of C, writes R N of C
--                                                                      8 N^2 + 24 R N            (32 N^2)
-- FLOPs are counted in the disassembled functions: 2 R N and 2 R N^2, and per row the sum of a vector's lanes. Arithmetic intensity is
-- FLOPs / bytes: an eighth, a quarter, and N / 16 for square matrices.
--
-- A product of matrices has two bounds. The loops read all of B for each row of C. Between two uses of a line of B they access all other
-- lines of B, a row of A and a row of C: 8 (N^2 + 2 N) bytes.
-- - If the caches hold all of these (place_of), B is read once. For R = N this ends near 8 (N^2 + N) = the cache's bytes.
-- - If the caches hold less than half of them, B is read R times, 8 R N^2 bytes. The intensity is then a quarter, as for a matrix-vector
--   product, for any size.
-- - Between the two the cache replacement decides, and nothing is claimed.
-- The current rows of A, B and C stay in the caches. But while B goes through an inclusive last level, that level may evict lines that L1
-- uses all the time (as in load_imbalance).
--
-- OpenBLAS's functions are not disassembled. Their model is
--     bytes     those of the operands, once, if the caches hold all operands and the copies that a product makes of A and B. Fewer are
--               impossible, and nothing needs more. The copies lie in memory that the library keeps
--     FLOPs     2 R N or 2 R N^2, and the additions of partial sums in the Haswell kernels (disassembled from 0.3.21), which the program
--               selects on every processor. A dot product has four vectors of partial sums and finally adds 0. A row times a vector has
--               one vector per 2048 columns, whose sum is scaled and added to y. An element of C has one sum per 256 products; the first
--               product is no addition, and the sum is scaled and added to C. Adding the lanes of a vector takes two operations of two
--               lanes each
-- A fused multiply-add is two FLOPs but one AVX calculation, so an event that counts AVX calculations does not show FLOPs.
local LANES = { vectors = 4, scalars = 1 }
local DOUBLE = 8 -- bytes
local SELF_LINES = 8 -- lines of stack and code, which are used all the time
local VECTOR_SUMS = 4 -- vectors of partial sums in OpenBLAS's dot product (see FLOPs above)
local COLUMNS, PRODUCTS = 2048, 256 -- columns per sum in OpenBLAS's rows, products per sum in its matrices
local FOLD = 4 -- FLOPs to add up the lanes of a vector
local FINISH = 2 -- FLOPs to scale a sum and add it

local function whole_lines(at, bytes)
    return math.ceil(bytes / at.node.line_bytes) * at.node.line_bytes
end

-- Bytes that the caches must hold so that B is read only once.
local function kept(at)
    local n, rows = at.point.n, at.point.rows
    return DOUBLE * (at.code.by_library and 2 * (n * n + rows * n) + rows * n or n * n + 2 * n)
end

-- Number of times that B is read from memory; nil: the replacement decides.
local function times_of_b(at)
    local place = place_of(kept(at), { capacity(at.machine, at.node, #at.node.caches, 1) })
    if place ~= 1 and at.code.by_library then
        return nil -- its blocks read B more than once, but not once per row
    end
    return place and (place == 1 and 1 or at.point.rows)
end

-- Bytes that each execution reads, and writes; nil: nothing is claimed.
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

-- Per execution: bytes that may be read again, and modified bytes that are written back before that. L1 holds x or the row of C (which is
-- modified), stack and code. It loses them each time A or B, as it streams through, has filled the directory of the last level.
local function taken_back(at)
    local n, rows, line = at.point.n, at.point.rows, at.node.line_bytes
    local is_gemm = at.code.product == "matrices"
    local uses = is_gemm and times_of_b(at) or rows
    if uses == 1 then
        return 0, 0 -- a dot product reuses nothing, and a B that stays in the caches does not fill the directory again
    end
    local fills = DOUBLE * uses * n * (is_gemm and n or 1) / line / directory_lines(at.machine, at.node)
    return fills * (DOUBLE * n + SELF_LINES * line), fills * ((is_gemm and DOUBLE * n or 0) + SELF_LINES * line)
end

-- Bytes that prefetchers fetch past the ends of the operands, which begin with pages: none crosses a page. They are not flushed, so they
-- are fetched again only when reads, `read` bytes an execution, have filled the directory of the last level.
local function past_ends(at, read)
    local n, rows, line, page = at.point.n, at.point.rows, at.node.line_bytes, at.machine.processor.page
    local most, columns = lines_past(at.node, #at.node.caches) * line, at.code.product == "matrices" and n or 1
    local past = 0
    for _, elements in ipairs { rows * n, n * columns, rows * columns } do
        past = past + math.min(most, -DOUBLE * elements % page)
    end
    return past * (1 + at.point.times * read / line / directory_lines(at.machine, at.node))
end

-- Bytes that channels which an event sees, scaled up to all channels, may have too few and too many of the operands.
local function uneven(at, reads, writes)
    local n, rows, line = at.point.n, at.point.rows, at.node.line_bytes
    local columns, times_b = 1, 1
    if at.code.product == "matrices" then
        columns, times_b = n, times_of_b(at)
    end
    local few, many = 0, 0
    for _, operand in ipairs { { rows * n, reads }, { n * columns, reads * times_b }, { rows * columns, reads + writes } } do
        local lines = uneven_lines(math.ceil(DOUBLE * operand[1] / line), at.part)
        few, many = few + operand[2] * lines.low, many + operand[2] * lines.high
    end
    return at.point.times * few * line, at.point.times * many * line
end

-- A model of bytes read, written or both. The nominal value assumes that half of taken_back() happens.
local function bytes(reads, writes)
    return function(at)
        local read, written = bytes_of(at)
        if not read then
            return nil
        end
        local fetched, given_up = taken_back(at)
        local back = at.point.times * (reads * fetched + writes * given_up) / 2
        local value = at.point.times * (reads * read + writes * written) + back
        local vain = reads * past_ends(at, read)
        local few, many = uneven(at, reads, writes)
        return {
            min = value - back - few,
            value = value,
            max = value + back + vain + many,
            terms = {
                { name = "replacement", amount = back },
                { name = "replacement", amount = -back },
                { name = "prefetches", amount = vain },
                { name = "slices", amount = -few },
                { name = "slices", amount = many },
            },
        }
    end
end

local read, moved = bytes(1, 0), bytes(1, 1)

-- Bytes written, of square matrices only: a quarter of their traffic. Others write no more than the system does next to them.
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

-- Count of `event` in the whole region. A row calls the inner loop once; in a product of matrices N times.
local function count(at, event)
    local inner, row = inner_of(at), at.called.multiply_row
    local call = inner.constant[event] + at.point.n // LANES[at.code.width] * inner.pass[event]
    if row then
        call = row.constant[event] + at.point.n * (row.pass[event] + call)
    end
    return at.point.times * (at.parts.constant[event] + at.point.rows * (at.parts.pass[event] + call))
end

-- Weighted sum of counts of the code; `weights` is { [event] = weight }.
local function weighed(at, weights)
    local sum = 0
    for event, weight in pairs(weights) do
        sum = sum + weight * count(at, event)
    end
    return sum
end

-- OpenBLAS's FLOPs for partial sums.
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

-- `amount`, or if it is 0: none, with all FLOPs of the code as its work.
local function or_none(amount, at)
    return amount > 0 and amount or none_of(flops(at))
end

local function operations(at)
    return not at.code.by_library and or_none(weighed(at, at.weights), at) or nil
end

local function wide_flops(at)
    return not at.code.by_library and or_none(LANES.vectors * weighed(at, { fp_256_dp = 1 }), at) or nil
end

-- The FLOPs that the architecture's event counts.
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
    about = "Operations per byte from memory, which say whether memory or arithmetic limits a code: few in a dot product, any number in a "
        .. "product of matrices that fit into a cache.",
    desired = "Floating-point operations divided by the data volume between the last level cache and memory, in one region",
    advice = "Below the intensity at which a core's peak meets the memory's bandwidth (the roofline's knee) use each byte more often: "
        .. "block loops so that what is used again still lies in a cache, fuse loops over the same arrays, and calculate values again "
        .. "instead of storing them. Above it look at vectors and dependences instead.",
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
        point { code = "dgemv", n = 512, rows = 512, times = 16, quick = true },
        point { code = "dgemv", n = 1024, rows = 1024, times = 4 },
        point { code = "dgemm", n = 32, rows = 32, times = 256, quick = true },
        point { code = "dgemm", n = 64, rows = 64, times = 64, quick = true },
        point { code = "dgemm", n = 128, rows = 128, times = 16 },
        point { code = "dgemm", n = 1152, rows = 2, times = 1, quick = true }, -- B is 10 MiB
        point { code = "dgemm", n = 2944, rows = 2, times = 1 }, -- B is 66 MiB
        point { code = "ddot_scalar", n = 8192, rows = 1, times = 64, quick = true },
        point { code = "ddot_scalar", n = 32768, rows = 1, times = 32, quick = true },
        point { code = "dgemv_scalar", n = 256, rows = 256, times = 16, quick = true },
        point { code = "dgemv_scalar", n = 512, rows = 512, times = 16 },
        point { code = "dgemm_scalar", n = 32, rows = 32, times = 256, quick = true },
        point { code = "dgemm_scalar", n = 64, rows = 64, times = 64 },
        point { code = "ddot_openblas", n = 32768, rows = 1, times = 32 },
        point { code = "ddot_openblas", n = 262144, rows = 1, times = 8 },
        point { code = "dgemv_openblas", n = 512, rows = 512, times = 16 },
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
    -- Accesses of first touch, flush and the loops. A library loads vectors, each several times.
    cost = function(at)
        local elements = at.point.n * at.point.rows + (at.code.product == "matrices" and at.point.n * at.point.n or at.point.n)
        local accesses = at.code.by_library and flops_of_library(at) / LANES.vectors or count(at, "loads") + count(at, "stores")
        return (at.point.times + 1) * elements + accesses / 2
    end,
}
