-- compare.lua - compares the caches and TLBs found with those stated for the node.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Data caches are stated by the node (hwloc, from kernel and processor), the rest by the machine file. An entry of the result is the
-- finding (events/plan/configuration.lua) with stated = { unit =, bytes |nil, entries |nil, ways |nil, shared = number of cores |nil,
-- begins |nil }, by = "hwloc" | "machine file" | "address", differs = array of the names of differing values.
local array = require "input.array"
local configuration = require "events.plan.configuration"
local lists = require "input.lists"

local compare = {}

local TLBS = { ITLB = "itlb", DTLB = "dtlb", STLB = "stlb" }

local function stated_of_data(finding, node)
    local cache = node.caches[finding.level]
    return cache and { unit = node.line_bytes, bytes = cache.size_bytes, ways = cache.ways, shared = cache.shared_by_cores }
end

local function stated_of_instructions(machine, node)
    local level = lists.find(machine.levels or {}, function(one) return one.kind == "instructions" end)
    return level and { unit = node.line_bytes, bytes = level.size, ways = level.ways }
end

local function stated_of(finding, machine, node)
    if finding.start then
        return { unit = finding.unit, begins = finding.unit - finding.start }, "address" -- pages begin at multiples of their size
    elseif finding.level then
        return stated_of_data(finding, node), "hwloc"
    elseif TLBS[finding.part] and machine.processor then
        local tlb = machine.processor[TLBS[finding.part]]
        return { unit = machine.processor.page, entries = tlb.entries, ways = tlb.ways }, "machine file"
    end
    return finding.kind == "cache" and stated_of_instructions(machine, node) or nil, "machine file"
end

-- { parts =, machine =, node = } -> array of findings.
function compare.find(argument)
    for _, finding in ipairs(argument.parts) do
        local stated, by = stated_of(finding, argument.machine, argument.node)
        finding.stated, finding.by, finding.differs = stated, stated and by, array()
        local found = { unit = finding.unit, bytes = finding.bytes, entries = finding.entries, ways = finding.ways,
            begins = finding.begins, shared = finding.shared and #finding.shared }
        lists.append(finding.differs, { "unit", "bytes", "entries", "ways", "shared", "begins" }, function(word)
            return stated and stated[word] and found[word] and stated[word] ~= found[word] and word
        end)
    end
    return argument.parts
end

-- configuration.next's argument -> { jobs = of the next round }, or { findings = } after the last round.
function compare.next(argument)
    local answer = configuration.next(argument)
    return answer.jobs and answer or
        { findings = compare.find { parts = answer.parts, machine = argument.machine, node = argument.node } }
end

return compare
