-- perfmon.lua - the lists of github intel/perfmon that are about a LIKWID source tree's architectures, and what they say of its events.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- mapfile.csv has lines GenuineIntel-FAMILY-MODEL[-STEPPINGS],VERSION,/PATH,KIND. The tree's topology.h has FAMILY and MODEL by name.
-- Architectures that share a model differ in steppings; both files name them in ascending order.
local array = require "input.array"
local lists = require "input.lists"
local pmu_lines = require "input.pmu_lines"
local source_tree = require "lint.source_tree"
local vendor_lists = require "input.vendor_lists"

local perfmon = {}

local KINDS = { core = true, uncore = true, ["uncore experimental"] = true }

-- { ["6-55"] = array of arrays of paths, one for each range of steppings }
local function lists_by_model(mapfile)
    local found, known = {}, {}
    for model, steppings, path, kind in mapfile:gmatch "GenuineIntel%-(%x+%-%x+)%-?([^,]*),[^,]*,/([^,]+),([%a ]+)" do
        local key = model .. steppings
        if KINDS[kind] and not known[key] then
            known[key] = {}
            lists.push(found, model, known[key])
        end
        lists.append(KINDS[kind] and known[key] or {}, { path })
    end
    return found
end

-- { mapfile = text, source = source_tree.read's files } -> array of { arch =, path = below the folder of the lists }
function perfmon.files(argument)
    local by_model, files, known = lists_by_model(argument.mapfile), array(), {}
    for _, one in ipairs(source_tree.models(argument.source)) do
        local steppings = by_model[("%X-%02X"):format(one.family, one.model)] or {}
        for _, path in ipairs(steppings[one.ordinal] or {}) do
            local key = one.arch .. " " .. path
            files[#files + 1] = not known[key] and { arch = one.arch, path = path } or nil
            known[key] = true
        end
    end
    return files
end

-- pmu.vendor's text `known` with the lists' codes of LIKWID's other events. `texts`: decoded lists; limits: counters by event.
function perfmon.codes(texts, limits, known)
    local events = lists.collect(lists.sorted(limits), function(name)
        local unit = limits[name]:match "^%a+"
        return unit and { name = name, unit = unit }
    end)
    local list, named = vendor_lists.read(texts, events), lists.set(pmu_lines.read(known).events, "name")
    local lines = { known }
    for _, event in ipairs(events) do
        local entry = not named[event.name] and vendor_lists.find_named(list, event)
        lines[#lines + 1] = entry and vendor_lists.line_of(list, event, entry) or nil
    end
    return table.concat(lines, "\n")
end

return perfmon
