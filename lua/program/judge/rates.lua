-- rates.lua - the rates of a program's regions, with the peaks of the cores and sockets on which they run.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A rate is { region =, threads =, cycles = of the longest thread, read = MB/s from memory |nil, performance = MFLOP/s |nil, intensity =
-- FLOP/Byte at memory |nil, roofs = { performance = MFLOP/s, bandwidth = MB/s; each |nil } }. FLOPs are those that the group counts, which
-- may leave out scalar ones. A value is nil if the record validates no metric for it, or a count is absent. Without the cycles of every
-- thread there is no rate.
local array = require "input.array"
local group_file = require "input.group"
local lists = require "input.lists"
local terms = require "program.plan.terms"

local rates = {}

local CYCLES, READ, PERFORMANCE, INTENSITY = "unhalted time", "memory read volume", "performance", "arithmetic intensity at memory"
local MB_PER_GB = 1e3

-- Sums over the region's threads: { [event's key] = sum }, without events that some thread, or socket for a shared counter, lacks.
local function sums_of(context, region, leaves, sockets)
    local sums, seen = {}, {}
    for _, leaf in ipairs(leaves) do
        for key, count in pairs(context.counts[region .. " " .. leaf]) do
            sums[key], seen[key] = (sums[key] or 0) + count, (seen[key] or 0) + 1
        end
    end
    for _, name in ipairs(lists.sorted(context.rates.terms)) do
        for _, event in ipairs(context.rates.terms[name].events) do
            local key = group_file.key(event)
            local is_shared = context.rates.terms[name].scope ~= "core" and seen[key] == sockets
            sums[key] = (seen[key] == #leaves or is_shared) and sums[key] or nil
        end
    end
    return sums
end

-- line_cycles: of a line between L3 and memory at the peak of these sockets |nil
local function rate_of(context, region, leaves, sockets, line_cycles)
    local of = context.rates
    local of_threads = lists.collect(leaves, function(leaf)
        return terms.value(of.terms[CYCLES], context.counts[region .. " " .. leaf])
    end)
    local cycles = #of_threads == #leaves and math.max(table.unpack(of_threads)) or 0
    local sums, time = sums_of(context, region, leaves, sockets), of.clock and cycles / (of.clock * 1e6)
    local function value(name)
        local amount = of.terms[name] and terms.value(of.terms[name], sums, time)
        return amount and amount > 0 and amount < math.huge and amount or nil
    end
    local read = time and value(READ)
    local bandwidth = line_cycles and of.clock and context.node.line_bytes * of.clock / line_cycles
    return cycles > 0 and { region = region, threads = #leaves, cycles = cycles, read = read and read * MB_PER_GB / time,
        performance = time and value(PERFORMANCE), intensity = value(INTENSITY),
        roofs = { performance = of.peak and of.peak * #leaves, bandwidth = bandwidth } }
end

-- context: of judge/diagnosis.lua, with counts =; sockets_of(context, leaves) -> number of sockets, cycles_of(context, leaves) ->
-- line_cycles. -> array of rates, in the order of the regions.
function rates.of(context, sockets_of, cycles_of)
    local found = array()
    for region = 0, context.rates.terms[CYCLES] and #context.counted.regions - 1 or -1 do
        local leaves = {}
        for leaf = 0, #context.counted.system - 1 do
            leaves[#leaves + 1] = context.counts[region .. " " .. leaf] and leaf or nil
        end
        found[#found + 1] = #leaves > 0 and rate_of(context, region, leaves, sockets_of(context, leaves),
            cycles_of(context, leaves)["L3-MEM"]) or nil
    end
    return found
end

return rates
