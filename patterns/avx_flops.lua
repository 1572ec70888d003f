-- AVX floating point: calculating 256-bit instructions and their FLOPs, and FLOPs of any width, against the count of the code.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Fields of codes: `bits` is the width of the arithmetic, `precision` is "dp" or "sp". half_wide codes load each register in two halves;
-- an event may count the instruction that inserts the second half, although it calculates nothing. The machine file states what an
-- architecture's event counts (`code` of the count): whether a fused multiply-add is one or two, and whether a shuffle counts.
local function is_wide(at)
    return at.code.bits == 256
end

-- Calculating instructions, which a tool wants the event to count. Half-wide codes have only these and the inserts.
local function operations(at)
    local lanes = at.code.bits // (at.code.precision == "dp" and 64 or 32)
    if not is_wide(at) then
        return none_of(at.count "flops" / lanes)
    end
    return at.code.half_wide and at.count "flops" / lanes or at.own()
end

-- Instructions of the code that the event counts.
local function instructions(at)
    return at.own()
end

-- Loads and stores of whole registers that do not calculate, as the event counts them.
local function moves(at)
    local count = is_wide(at) and at.own() or 0
    return count > 0 and count or none_of(at.count "flops")
end

local function wide_flops(at)
    return is_wide(at) and at.count "flops" or 0
end

local function flops(precision)
    return function(at)
        if at.code.precision ~= precision then
            return nil
        end
        local sum = at.count "flops"
        return is_wide(at) and sum or none_of(sum)
    end
end

-- FLOPs of all widths, of one precision or (nil) of both.
local function all_flops(precision)
    return function(at)
        local sum = at.count "flops"
        return (precision == nil or at.code.precision == precision) and sum or none_of(sum)
    end
end

local function code_flops(precision)
    return function(at)
        return (precision == nil or at.code.precision == precision) and at.count "flops" or 0
    end
end

return pattern {
    name = "avx_flops",
    title = "AVX floating point",
    health = true,
    class = "work",
    about = "AVX instructions do the arithmetic; the event does not count scalar and SSE code that does the same work.",
    desired = "Floating-point operations in single and double precision: scalar, and packed by width",
    advice = "Look at which loops the compiler vectorised (-fopt-info-vec, -Rpass=loop-vectorize) and which vectors it "
        .. "was allowed to use (-march); what keeps a loop scalar is mostly possible aliasing (restrict), calls, or a fixed order "
        .. "of additions (omp simd reduction).",
    codes = {
        code { name = "ddot", kernel = "ddot", bits = 256, precision = "dp" },
        code { name = "daxpy", kernel = "daxpy", bits = 256, precision = "dp" },
        code { name = "stream", kernel = "stream", bits = 256, precision = "dp" },
        code { name = "triad", kernel = "triad", bits = 256, precision = "dp" },
        code { name = "scaled_sum", kernel = "scaled_sum", bits = 256, precision = "dp" },
        code { name = "addmul_registers", kernel = "addmul_registers", bits = 256, precision = "dp" },
        code { name = "fma_registers", kernel = "fma_registers", bits = 256, precision = "dp" },
        code { name = "sdot", kernel = "sdot", bits = 256, precision = "sp" },
        code { name = "saxpy", kernel = "saxpy", bits = 256, precision = "sp" },
        code { name = "stream_sp", kernel = "stream_sp", bits = 256, precision = "sp" },
        code { name = "triad_sp", kernel = "triad_sp", bits = 256, precision = "sp" },
        code { name = "addmul_registers_sp", kernel = "addmul_registers_sp", bits = 256, precision = "sp" },
        code { name = "fma_registers_sp", kernel = "fma_registers_sp", bits = 256, precision = "sp" },
        code { name = "scaled_sum_half", kernel = "scaled_sum_half", bits = 256, precision = "dp", half_wide = true },
        code { name = "ddot_sse", kernel = "ddot_sse", bits = 128, precision = "dp" },
        code { name = "daxpy_sse", kernel = "daxpy_sse", bits = 128, precision = "dp" },
        code { name = "stream_sse", kernel = "stream_sse", bits = 128, precision = "dp" },
        code { name = "triad_sse", kernel = "triad_sse", bits = 128, precision = "dp" },
        code { name = "sdot_sse", kernel = "sdot_sse", bits = 128, precision = "sp" },
        code { name = "saxpy_sse", kernel = "saxpy_sse", bits = 128, precision = "sp" },
        code { name = "stream_sp_sse", kernel = "stream_sp_sse", bits = 128, precision = "sp" },
        code { name = "triad_sp_sse", kernel = "triad_sp_sse", bits = 128, precision = "sp" },
        code { name = "ddot_scalar", kernel = "ddot_scalar", bits = 64, precision = "dp" },
        code { name = "daxpy_scalar", kernel = "daxpy_scalar", bits = 64, precision = "dp" },
        code { name = "stream_scalar", kernel = "stream_scalar", bits = 64, precision = "dp" },
        code { name = "triad_scalar", kernel = "triad_scalar", bits = 64, precision = "dp" },
        code { name = "sdot_scalar", kernel = "sdot_scalar", bits = 64, precision = "sp" },
        code { name = "saxpy_scalar", kernel = "saxpy_scalar", bits = 64, precision = "sp" },
        code { name = "stream_sp_scalar", kernel = "stream_sp_scalar", bits = 64, precision = "sp" },
        code { name = "triad_sp_scalar", kernel = "triad_sp_scalar", bits = 64, precision = "sp" },
    },
    placements = { "core" },
    points = {
        point { elements = 32768, passes = 2, quick = true },
        point { elements = 65536, passes = 2 },
        point { elements = 65536, passes = 4, quick = true },
    },
    quantities = {
        quantity { name = "AVX operations", expect = operations, count = instructions },
        quantity { name = "AVX loads", expect = moves, count = instructions, optional = true },
        quantity { name = "AVX stores", expect = moves, count = instructions, optional = true },
        quantity { name = "AVX FLOPs DP", expect = flops "dp", count = wide_flops },
        quantity { name = "AVX FLOPs SP", expect = flops "sp", count = wide_flops },
        quantity { name = "FLOPs DP", expect = all_flops "dp", count = code_flops "dp" },
        quantity { name = "FLOPs SP", expect = all_flops "sp", count = code_flops "sp" },
        quantity { name = "FLOPs", expect = all_flops(), count = code_flops() },
    },
    controls = { present = control { code = "triad" }, absent = control { code = "triad_scalar" } },
    signature = "AVX operations",
    tests = { test { quantity = { "AVX operations" }, per = "instructions", most = 2 } },
    also = {
        also { pattern = "sparse_indirection", control = "absent", reason = "its stencil uses AVX" },
        also { pattern = "alu_saturation", reason = "its operations are AVX" },
        also { pattern = "bandwidth_saturation", reason = "its streams calculate with AVX" },
        also { pattern = "instruction_overhead", control = "absent", reason = "its wide instructions are AVX" },
        also { pattern = "load_imbalance", reason = "its matrix-vector product uses AVX" },
        also { pattern = "long_latency", reason = "its divisions and multiplications are AVX" },
        also { pattern = "pipelining", reason = "its chains are AVX" },
        also { pattern = "synchronisation", control = "absent", reason = "its useful operations are AVX" },
    },
}
