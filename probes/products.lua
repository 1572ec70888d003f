-- Products: of vectors and square matrices in plain scalar loops, single and double precision (probes/products.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- 2 N, 2 N^2 and 2 N^3 operations (Counter Inspection Toolkit, figure 4): a dot product's loop has two a pass, a matrix-vector product N
-- dot products, a product of matrices N of those. All of what an instruction is follows from the functions. Which branches are
-- mispredicted, and what caches and TLBs do as matrices grow, is not what this is for: nothing is said of it.
local UNKNOWN = and_mispredictions {
    "loads from L1", "loads from L2", "loads from L3 alone", "loads from memory", "blocked loads", "aliased loads", "split loads",
    "split stores",
    "data reads in L2", "data reads in L3 alone", "data reads from memory", "ownership in L2",
    "ownership in L3 alone", "ownership from memory",
    "modified lines from L1", "lines into L2 alone", "modified lines from L2", "clean lines from L2", "modified lines from L3",
    "page walks of loads", "page walks of stores", "second-level TLB hits of loads", "second-level TLB hits of stores",
}

-- The functions that a code's time goes through, from the outermost on, each called N times by a pass of the one before.
local function calls(at)
    local list, called = { { at.parts, 1, at.times } }, at.times
    for _, name in ipairs(at.code.calls) do
        list[#list + 1] = { at.called[name], called, called * at.point.n }
        called = called * at.point.n
    end
    return list, called // at.point.n
end

local function counts(at)
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
    found["direct calls"], found["indirect calls"] = found["direct calls"] - dots, dots -- which precision is a matter of the point
    for _, concept in ipairs(UNKNOWN) do
        found[concept] = false
    end
    return found
end

local FLOPS_LEAST = 10000 -- of a curve's smallest region, so that what is around them is little

-- 1 to 100 by 1, to 500 by 50. A product of matrices takes a virtual node a second for what a core does in some milliseconds: where no
-- events are named, and so many more runs are made, it goes to 100 by 4.
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
        code { name = "products_ddot", runs = "products_dot", calls = { "products_of_doubles" } },
        code { name = "products_dgemv", runs = "products_gemv", calls = { "products_of_vector", "products_of_doubles" } },
        code {
            name = "products_dgemm",
            runs = "products_gemm",
            calls = { "products_of_matrix", "products_of_vector", "products_of_doubles" },
        },
    },
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
    },
    counts = counts,
}
