-- code.lua - number of events of a kernel's code in a region, from its disassembly.
-- SPDX-License-Identifier: GPL-3.0-or-later
local code = {}

-- A region runs `once` of the code, then in every sweep `sweep` + `constant` + (elements / elements of a pass) times `pass`
-- (validate/kernel/count.h). kernel: as in plan.lua; event: a field of its parts, "avx_calc"; point: { elements =, passes = sweeps }.
function code.count(kernel, event, point)
    local parts = kernel.parts
    if type(parts) ~= "table" or type(parts.pass[event]) ~= "number" then
        error(("kernel %s: no count of '%s'"):format(tostring(kernel.name), tostring(event)), 0)
    end
    local passes = point.elements / kernel.elements_per_pass
    if passes % 1 ~= 0 then
        error(("kernel %s: %d elements are no whole number of its passes of %d"):format(kernel.name, point.elements,
            kernel.elements_per_pass), 0)
    end
    return parts.once[event] + point.passes * (parts.sweep[event] + parts.constant[event] + passes * parts.pass[event])
end

-- Like code.count, for a weighted sum { event = weight, .. }: some hardware events count several kinds.
function code.weigh(kernel, weights, point)
    local sum = 0
    for event, weight in pairs(weights) do
        sum = sum + weight * code.count(kernel, event, point)
    end
    return sum
end

-- Counts of a program's functions (plan.lua's kernels): the one that the code `runs` (nil: none), and by name the ones that it calls.
function code.parts(kernels, program, one)
    local function find(name)
        local key = program .. ":" .. name
        local found = kernels[key] or error(("code %s: there is no count of the function %s"):format(one.name, key), 0)
        return found.parts
    end
    local called = {}
    for _, name in ipairs(one.calls or {}) do
        called[name] = find(name)
    end
    return one.runs and find(one.runs), called
end

-- Basis quantities (probes/concepts.txt) of a part of a program's function (plan/points.lua), and the fields that count them.
local CONCEPTS = {
    ["instructions"] = function(part) return part.instructions end,
    ["loads"] = function(part) return part.loads end,
    ["stores"] = function(part) return part.stores end,
    ["AVX loads"] = function(part) return part.avx_loads end,
    ["AVX stores"] = function(part) return part.avx_stores end,
    ["AVX calculations"] = function(part) return part.avx_calc end,
    ["scalar SP"] = function(part) return part.fp_scalar_sp end,
    ["scalar DP"] = function(part) return part.fp_scalar_dp end,
    ["128-bit SP"] = function(part) return part.fp_128_sp end,
    ["128-bit DP"] = function(part) return part.fp_128_dp end,
    ["256-bit SP"] = function(part) return part.fp_256_sp end,
    ["256-bit DP"] = function(part) return part.fp_256_dp end,
    ["divisions"] = function(part) return part.divides end,
    ["direct calls"] = function(part) return part.calls end,
    ["returns"] = function(part) return part.returns end,
    ["direct jumps"] = function(part) return part.branches - part.conditional - part.calls - part.returns end,
}

-- Counts of running parts a number of times: { { part, times }, .. } -> { [basis quantity] = number }. Directions of conditional branches,
-- widths of divisions (all are taken for narrow ones) and memory events do not follow from the code.
function code.concepts(list)
    local sums = {}
    for concept, of in pairs(CONCEPTS) do
        sums[concept] = 0
        for _, one in ipairs(list) do
            sums[concept] = sums[concept] + one[2] * of(one[1])
        end
    end
    return sums
end

return code
