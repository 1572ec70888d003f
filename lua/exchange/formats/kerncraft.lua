-- kerncraft.lua - volumes between levels as "performance counter metrics" of kerncraft's machine files, in lines of the cache.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A level's misses are the volume loaded into it, its evicts the volume evicted from it: the metrics "L1-L2 load volume", "L1-L2 evict
-- volume" and so on, and what memory controllers read and write. Events are in kerncraft's form EVENT:COUNTER.
local linear_form = require "input.linear_form"
local lists = require "input.lists"

local SOURCES = {
    { level = "L1", misses = "^L1%-L2 load volume$", evicts = "^L1%-L2 evict volume$" },
    { level = "L2", misses = "^L2%-L3 load volume$", evicts = "^L2%-L3 evict volume$" },
    { level = "L3", misses = "^%a+ read volume$", evicts = "^%a+ write volume$" },
}
local LINE = 64 -- bytes, of all architectures that have groups

-- "A:PMC0 + 2 * B:PMC1"; nil and the reason if the metric is no sum of whole lines.
local function lines_of(metric)
    local form, why = linear_form.of(metric.parsed, {})
    local parts = {}
    for _, name in ipairs(form and lists.sorted(form.terms) or {}) do
        local event, factor = metric.events[name], form.terms[name] * 1e9 / LINE
        local short = ("%.6g"):format(factor)
        local options = event.options ~= "" and ":" .. event.options or ""
        parts[#parts + 1] = (short ~= "1" and short .. " * " or "") .. event.event .. ":" .. event.counter .. options
    end
    return form and table.concat(parts, " + ") or nil, why
end

local function find(architecture, pattern)
    for _, group in ipairs(architecture.groups) do
        local metric = lists.find(group.metrics, function(one) return one.unit == "GBytes" and one.name:find(pattern) end)
        if metric then
            return metric
        end
    end
end

return function(architecture, notes)
    local lines = lists.map(architecture.origin, function(line) return "# " .. line end)
    lines[#lines + 1] = "memory hierarchy:"
    for _, source in ipairs(SOURCES) do
        local found = {}
        for _, key in ipairs { "misses", "evicts" } do
            local metric = find(architecture, source[key])
            local text, why = metric and lines_of(metric), nil
            if text then
                lists.append(found, metric.facts, function(line) return "    # " .. line end)
                found[#found + 1] = ("    %s: %s"):format(key, text)
            else
                notes[#notes + 1] = ("%s of %s: not given: %s"):format(key, source.level, why or "no validated metric shows them")
            end
        end
        if #found > 0 then
            lists.append(lines, { "- level: " .. source.level, "  performance counter metrics:" })
            lists.append(lines, found)
        end
    end
    return table.concat(lines, "\n") .. "\n"
end
