-- Expensive instructions: divisions and square roots, which share one divider, against multiplications.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Field of codes: `bits` is the width of the operation. The machine file states its number of micro-operations in the divider.
local function divider_uops(at)
    local divides = at.count "divides"
    if divides == 0 then
        return none_of(at.count "flops")
    end
    local uops = at.machine.divider_uops
    if not uops then
        return { none = "the machine file does not say how many micro-operations the divider does (divider_uops)" }
    end
    return divides * uops[at.code.bits == 256 and "bits256" or "bits128"]
end

local function division_flops(at)
    return at.count "divides" > 0 and at.count "flops" or none_of(at.count "flops")
end

local function divider_cycles(at)
    local divides = at.count "divides"
    local cycles, parts = at.machine.divider_cycles, divides * (at.code.bits == 256 and 2 or 1)
    if divides == 0 or not cycles then
        return divides == 0 and none_of(at.count "flops") or nil
    elseif at.node.kind == "virtual" then
        return parts * cycles.value
    end
    return { min = parts * cycles.min, value = parts * cycles.value, max = parts * cycles.max }
end

return pattern {
    name = "long_latency",
    title = "Expensive instructions",
    class = "work",
    about = "Divisions and square roots take many cycles each, one after the other in the divider; multiplications by an inverse take few.",
    desired = "Divisions and square roots, or the time for which the divider is busy",
    advice = "Divide once and multiply often: take inverses out of loops, compare squares instead of roots, use reciprocal "
        .. "approximations where their precision is enough (-mrecip, -ffast-math on files where it is acceptable), and use "
        .. "vectors, which divide several at a time.",
    codes = {
        code { name = "div_scalar", kernel = "div_scalar", bits = 64 },
        code { name = "div_sse", kernel = "div_sse", bits = 128 },
        code { name = "div_avx", kernel = "div_avx", bits = 256 },
        code { name = "div_sp_scalar", kernel = "div_sp_scalar", bits = 32 },
        code { name = "div_sp_sse", kernel = "div_sp_sse", bits = 128 },
        code { name = "div_sp_avx", kernel = "div_sp_avx", bits = 256 },
        code { name = "sqrt_scalar", kernel = "sqrt_scalar", bits = 64 },
        code { name = "sqrt_sse", kernel = "sqrt_sse", bits = 128 },
        code { name = "sqrt_avx", kernel = "sqrt_avx", bits = 256 },
        code { name = "sqrt_sp_scalar", kernel = "sqrt_sp_scalar", bits = 32 },
        code { name = "sqrt_sp_sse", kernel = "sqrt_sp_sse", bits = 128 },
        code { name = "sqrt_sp_avx", kernel = "sqrt_sp_avx", bits = 256 },
        code { name = "mul_scalar", kernel = "mul_scalar", bits = 64 },
        code { name = "mul_sse", kernel = "mul_sse", bits = 128 },
        code { name = "mul_avx", kernel = "mul_avx", bits = 256 },
        code { name = "mul_sp_scalar", kernel = "mul_sp_scalar", bits = 32 },
        code { name = "mul_sp_sse", kernel = "mul_sp_sse", bits = 128 },
        code { name = "mul_sp_avx", kernel = "mul_sp_avx", bits = 256 },
    },
    placements = { "core" },
    points = {
        point { elements = 16384, passes = 4, quick = true },
        point { elements = 32768, passes = 4 },
        point { elements = 65536, passes = 4, quick = true },
    },
    quantities = {
        quantity { name = "divider uops", expect = divider_uops },
        quantity { name = "divider cycles", expect = divider_cycles, optional = true }, -- where an event counts them instead
        quantity { name = "division FLOPs", expect = division_flops, optional = true }, -- where an event counts lanes
    },
    controls = { present = control { code = "div_avx" }, absent = control { code = "mul_avx" } },
    signature = "divider uops",
    tests = { test { quantity = { "divider uops", "divider cycles", "division FLOPs" }, per = "instructions" } },
    explains = explains {
        needs = { "divider uops|divider cycles|division FLOPs" },
        may = { "division FLOPs", "integer divisions" },
        cycles = function(at)
            local cycles = costs(at, { "divider uops", "integer divisions" })
            local lacks = at.counts["division FLOPs"] and not at.counts["integer divisions"]
            return { cycles[1], cycles[2], lacks and "divisions of integers are not counted" or nil }
        end,
    },
}
