-- code.lua - how often a kernel's code makes a countable event: the disassembly's counts, summed over a region.
-- SPDX-License-Identifier: GPL-3.0-or-later
local code = {}

-- A region runs `once` of the code, then in every sweep `sweep` + `constant` + (elements / elements of a pass) times `pass`
-- (validate/kernel/count.h). kernel: plan.lua's; event: a field of its parts, "avx_calc"; point: { elements =, passes = sweeps }.
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

-- The same for { event = weight, .. }: what events of a processor count that see several kinds.
function code.weigh(kernel, weights, point)
    local sum = 0
    for event, weight in pairs(weights) do
        sum = sum + weight * code.count(kernel, event, point)
    end
    return sum
end

return code
