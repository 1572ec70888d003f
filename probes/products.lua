-- Products: of vectors and square matrices in plain scalar loops, single and double precision (probes/products.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- 2 N, 2 N^2 and 2 N^3 operations (Counter Inspection Toolkit, figure 4): a dot product has two operations a pass, a matrix-vector product
-- is N dot products, and a product of matrices is N matrix-vector products. Counts of instructions follow from the functions. Nothing is
-- claimed about mispredictions, caches (except memory) and TLBs.
local UNKNOWN = and_mispredictions {
    "loads from L1", "loads from L2", "loads from L3 alone", "loads from memory", "blocked loads", "aliased loads", "split loads",
    "split stores",
    "data reads in L2", "data reads in L3 alone", "data reads from memory", "ownership in L2",
    "ownership in L3 alone", "ownership from memory",
    "modified lines from L1", "lines into L2 alone", "modified lines from L2", "clean lines from L2", "modified lines from L3",
    "page walks of loads", "page walks of stores", "second-level TLB hits of loads", "second-level TLB hits of stores",
}

-- Marks the concepts in UNKNOWN as unknown in `found` (or in a new table).
local function nothing_said(found)
    found = found or {}
    for _, concept in ipairs(UNKNOWN) do
        found[concept] = false
    end
    return found
end

-- The functions of a code, outermost first. Each is called N times by the one before.
local function calls(at)
    local list, called = { { at.parts, 1, at.times } }, at.times
    for _, name in ipairs(at.code.calls) do
        list[#list + 1] = { at.called[name], called, called * at.point.n }
        called = called * at.point.n
    end
    return list, called // at.point.n
end

-- Memory traffic per execution in doubles: read, written (derived in patterns/arithmetic_intensity.lua). The streamed matrix has N^2
-- elements, the other matrices R rows.
--     dot product      2 N + 1,        1
--     matrix-vector    N^2 + 2 N,      N
--     matrices         N^2 + 2 R N,    R N     if the caches keep the streamed matrix between its uses; else R N^2 instead of N^2
local EXECUTIONS = { times = 20 } -- as in the paper
-- A virtual node has no noise, so the minimum needs fewer executions: the minima of 20 and of 5 differ by at most a line or 0.01 %, and 20
-- take 13 s of processor time more in every run.
local VIRTUAL_EXECUTIONS = { times = 5, why_fewer = "a virtual node has no noise, and more differ by single lines" }
local ROWS = 2 -- MEMORY_ROWS of products.c
local DOUBLES = 8 -- per line

local function last_cache(at)
    return capacity(at.machine, at.node, #at.node.caches, 1)
end

local function traffic(at)
    local n, code = at.point.n, at.code.name
    if code == "products_ddot_memory" then
        return 2 * n + DOUBLES, DOUBLES -- the line of the sum
    end
    local rows = code == "products_dgemm_memory" and ROWS or 1
    return n * n + 2 * rows * n, rows * n
end

-- Number of times that the matrix is read from memory; nil: the replacement decides. Between two uses of a line all other lines of the
-- matrix and two rows are used.
local function uses(at)
    if at.code.name ~= "products_dgemm_memory" then
        return 1
    end
    local place = place_of(8 * (at.point.n * at.point.n + 2 * at.point.n), { last_cache(at) })
    return place == 1 and 1 or place and ROWS
end

-- Memory traffic in lines; nothing is claimed about caches. While the matrix goes through the last cache, the row in L1 may be evicted once
-- each time that cache is filled.
local function memory_counts(at)
    local n, again = at.point.n, uses(at)
    local read, written = traffic(at)
    local found = nothing_said()
    found["modified lines from L3"], found["ownership from memory"] = written / DOUBLES, nil -- lines that are written have been read before
    if again then
        local streamed = (again - 1) * n * n
        local lost = at.code.name == "products_ddot_memory" and 0 or 8 * again * n * n / last_cache(at) * n / DOUBLES
        local value = (read + streamed) / DOUBLES
        found["data reads from memory"] = { min = value, value = value, max = value + lost }
    end
    for _, concept in ipairs { "instructions", "loads", "stores" } do
        found[concept] = false
    end
    return found
end

local function counts(at)
    if at.code.in_memory then
        return memory_counts(at)
    end
    local list, taken, left = {}, 0, 0
    local run, dots = calls(at)
    for _, one in ipairs(run) do
        local part, times, passes = one[1], one[2], one[3]
        list[#list + 1] = { part.constant, times }
        list[#list + 1] = { part.pass, passes }
        taken, left = taken + passes - times, left + times
    end
    local found = concepts_of(list)
    found["conditional branches taken"], found["conditional branches not taken"] = taken, left
    found["direct calls"], found["indirect calls"] = found["direct calls"] - dots, dots -- called by pointer, by precision
    return nothing_said(found)
end

local FLOPS_LEAST = 10000 -- FLOPs of a curve's smallest region, so that the code around them is negligible

-- 1 to 100 by 1, to 500 by 50. Products of matrices take a virtual node about a second each. If no events are named, there are many more
-- runs, so these curves go from 1 to 100 by 4 then.
local function sizes(at, is_gemm)
    local list, step = {}, is_gemm and at.node.kind == "virtual" and not at.is_named and 4 or 1
    for n = step, 100, step do
        list[#list + 1] = n
    end
    for n = 150, step == 1 and 500 or 0, 50 do
        list[#list + 1] = n
    end
    return list
end

local function over_sizes(name, title, power)
    return curve {
        name = name,
        title = title,
        code = "products_" .. name,
        by = "n",
        values = function(at) return sizes(at, power == 3) end,
        times = { 1, 2, 3 },
        least = FLOPS_LEAST,
        axis = "N",
        x = function(at) return at.point.n end,
        per = "operation",
        amount = function(at) return 2 * at.point.n ^ power // 1 end,
        shown = { "scalar SP", "scalar DP" },
    }
end

-- Sizes from 64 to `most`, two for each doubling, rounded to multiples of a line.
local function half_octaves(most)
    local list, n = {}, 64
    while n <= most + 1 do
        list[#list + 1] = math.floor(n / DOUBLES + 0.5) * DOUBLES
        n = n * math.sqrt(2)
    end
    return list
end

-- Largest N for which the caches hold two square matrices, or one and a row (the paper's two bounds).
local function fits(at)
    local doubles = last_cache(at) / 8
    return math.sqrt(doubles / 2), (math.sqrt(1 + 4 * doubles) - 1) / 2
end

local function of_memory(name, title, most, marks)
    return curve {
        name = name .. " traffic",
        title = title,
        code = "products_" .. name .. "_memory",
        by = "n",
        values = function(at) return half_octaves(most(at)) end,
        executions = function(at) return at.node.kind == "virtual" and VIRTUAL_EXECUTIONS or EXECUTIONS end,
        axis = "N",
        x = function(at) return at.point.n end,
        per = "line of the formula",
        amount = function(at)
            local read, written = traffic(at)
            return (read + written) / DOUBLES
        end,
        marks = marks,
        shown = { "data reads from memory", "modified lines from L3" },
    }
end

local TIMES = { 40, 80, 120, 160 }

return probe {
    name = "products",
    title = "Products",
    about = "Products of vectors and of square matrices, in plain scalar loops of both precisions.",
    codes = {
        code { name = "products_sdot", runs = "products_dot", calls = { "products_of_singles" } },
        code { name = "products_sgemv", runs = "products_gemv", calls = { "products_of_vector", "products_of_singles" } },
        code {
            name = "products_sgemm",
            runs = "products_gemm",
            calls = { "products_of_matrix", "products_of_vector", "products_of_singles" },
        },
        code { name = "products_ddot_memory", runs = "products_dot", in_memory = true },
        code { name = "products_dgemv_memory", runs = "products_gemv", in_memory = true },
        code { name = "products_dgemm_memory", runs = "products_gemm", in_memory = true },
        code { name = "products_ddot", runs = "products_dot", calls = { "products_of_doubles" } },
        code { name = "products_dgemv", runs = "products_gemv", calls = { "products_of_vector", "products_of_doubles" } },
        code {
            name = "products_dgemm",
            runs = "products_gemm",
            calls = { "products_of_matrix", "products_of_vector", "products_of_doubles" },
        },
    },
    needs_machine = true,
    parameters = { "n" },
    points = {
        point { code = "products_sgemm", n = 24, times = TIMES },
        point { code = "products_dgemm", n = 24, times = TIMES },
    },
    curves = {
        over_sizes("sdot", "Dot product, single precision", 1),
        over_sizes("sgemv", "Matrix-vector product, single precision", 2),
        over_sizes("sgemm", "Product of matrices, single precision", 3),
        over_sizes("ddot", "Dot product, double precision", 1),
        over_sizes("dgemv", "Matrix-vector product, double precision", 2),
        over_sizes("dgemm", "Product of matrices, double precision", 3),
        of_memory("ddot", "Traffic to memory of a dot product", function() return 65536 end),
        of_memory("dgemv", "Traffic to memory of a matrix-vector product", function() return 512 end),
        of_memory("dgemm", "Traffic to memory of two rows of a product of matrices",
            function(at) return select(2, fits(at)) * 1.8 end,
            function(at)
                local both, one = fits(at)
                return { { x = both, text = "two matrices" }, { x = one, text = "one and a row" } }
            end),
    },
    counts = counts,
}
