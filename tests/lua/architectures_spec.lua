-- architectures_spec.lua - every folder of groups/: what its machine file names exists, and its groups' events can be counted.
-- SPDX-License-Identifier: GPL-3.0-or-later
local coverage = require "input.coverage"
local events = require "report.wiki.events"
local fixture = require "fixture"
local group = require "input.group"
local lists = require "input.lists"
local loaded = require "input.loaded"
local pack = require "plan.pack"
local pmu_lines = require "input.pmu_lines"
local schema = require "input.schema"
local versions = require "input.versions"

local function list(command)
    local found = {}
    for line in assert(io.popen(command)):lines() do
        found[#found + 1] = line
    end
    return found
end

-- Names of the events that the virtual node's PMU has, and what units count them.
local function modelled(arch)
    local names = {}
    local found = pmu_lines.read(fixture.text(("groups/%s/pmu.events"):format(arch)))
    for _, event in ipairs(found.events) do
        assert.is_string(event.made, event.name)
        names[event.name] = names[event.name] or {}
        table.insert(names[event.name], event.unit)
    end
    for _, response in ipairs(found.responses) do
        names[response.name] = { response.unit }
    end
    return names
end

-- A unit's counters begin with its name: CBOX3C1, DFC0.
local function is_of(counter, unit)
    return counter:sub(1, #unit) == unit and counter:sub(#unit + 1):match "^%d" ~= nil
end

-- Bits that a text names in parentheses: (bit 22), (bits 4 and 5), (bits 22 to 29; ...).
local function named_bits(text)
    local bits = 0
    for clause in text:gsub("%s+", " "):gmatch "%((.-)%)" do
        local numbers = clause:match "^[^;]*":gsub("^bits? ", ""):gsub(" and ", " to ")
        local first, last = (numbers:find " to " and numbers or numbers .. " to " .. numbers):match "^(%d+) to (%d+)$"
        for bit = tonumber(first) or 1, tonumber(last) or 0 do
            bits = bits | 1 << bit
        end
    end
    return bits
end

-- Names of the quantities that some pattern asks for.
local asked = {}
for _, path in ipairs(list "ls patterns/*.lua") do
    for _, one in ipairs(loaded.find(fixture.pattern(path:match "([^/]+)%.lua$")).quantities or {}) do
        asked[one.name] = true
    end
end

describe("patterns", function()
    it("name as judged elsewhere only quantities that another pattern has", function()
        for _, path in ipairs(list "ls patterns/*.lua") do
            for _, name in ipairs(fixture.pattern(path:match "([^/]+)%.lua$").judged_elsewhere or {}) do
                assert(asked[name], ("%s: no pattern asks for '%s'"):format(path, name))
            end
        end
    end)
end)

for _, path in ipairs(fixture.group_files "groups/*/machine.lua") do
    local arch = path:match "groups/(.-)/"
    describe("groups/" .. arch, function()
        local machine = fixture.machine(arch)
        local groups = {}
        for _, file in ipairs(fixture.group_files(("groups/%s/*.txt"):format(arch))) do
            local parsed = group.parse { text = fixture.text(file), file = file }
            groups[parsed.name] = parsed
        end

        it("has the name of its folder", function()
            assert.equal(arch, machine.arch)
        end)

        it("has a group for each name that only later versions of LIKWID count", function()
            local old = schema.machine { text = fixture.text(path), file = path, shared = fixture.shared(), likwid = "0" }
            for _, entry in ipairs(old.versions or {}) do
                for _, name in ipairs(entry.names) do
                    local one, count = { arch = arch, versions = { { names = { name }, why = "" } } }, 0
                    for _, found in pairs(groups) do
                        count = count + (versions.why_unfit(found, one) and 1 or 0)
                    end
                    assert.is_true(count > 0, name)
                end
            end
        end)

        it("has the groups and metrics that show its quantities", function()
            for _, entry in ipairs(machine.traffic) do
                local parsed = groups[entry.group]
                assert(parsed, ("%s:%s: no group %s"):format(entry.file, entry.line, entry.group))
                local metrics = lists.set(parsed.metrics, "name")
                local wanted = entry.metric and { entry.metric } or {}
                for _, kind in ipairs { "volume", "bandwidth" } do
                    local named = entry[kind] or {}
                    for _, name in pairs(type(named) == "string" and { named } or named) do
                        wanted[#wanted + 1] = name
                    end
                end
                for _, name in ipairs(wanted) do
                    assert(metrics[name], ("%s:%s: group %s has no metric '%s'"):format(entry.file, entry.line, entry.group, name))
                end
            end
        end)

        it("has no two metrics with the same name in a group", function()
            for name, parsed in pairs(groups) do
                local seen = {}
                for _, metric in ipairs(parsed.metrics) do
                    assert(not seen[metric.name], ("%s: two metrics '%s'"):format(name, metric.name))
                    seen[metric.name] = true
                end
            end
        end)

        it("judges every metric of every group, or names it as unjudged", function()
            coverage.check { machine = machine, groups = groups }
        end)

        it("has a pattern for every quantity that its groups show", function()
            for _, entry in ipairs(machine.traffic) do
                assert(not entry.quantity or asked[entry.quantity],
                    ("%s:%s: no pattern asks for '%s'"):format(entry.file, entry.line, entry.quantity))
            end
        end)

        it("has the counters that its groups program", function()
            for name, parsed in pairs(groups) do
                for _, event in ipairs(parsed.events) do
                    local _, index, box = pack.locate(machine, event.counter)
                    assert(box and index < box.count, ("%s: no counter %s"):format(name, event.counter))
                end
            end
        end)

        it("selects a core's reads from memory as the group's text says", function()
            for _, event in ipairs(groups.ASSAY_CORE_MEM and groups.ASSAY_CORE_MEM.events or {}) do
                local requests, answers = event.options:match "MATCH0=(%w+):MATCH1=(%w+)"
                if requests then
                    local text = fixture.text(("groups/%s/ASSAY_CORE_MEM.txt"):format(arch)):match "LONG.*"
                    assert.equal(tonumber(requests) | tonumber(answers) << 16, named_bits(text))
                end
            end
        end)

        it("has words for the filters of its groups' events", function()
            for name, parsed in pairs(groups) do
                for _, metric in ipairs(parsed.metrics) do
                    for _, shown_as in ipairs(select(2, events.of_metric(parsed, metric.name, machine))) do
                        assert(not shown_as:find("=0x", 1, true), ("%s: %s is a number; add it to `filters`"):format(name, shown_as))
                    end
                end
            end
        end)

        it("has errata of fixed counters also under LIKWID's event names", function()
            for _, erratum in ipairs(machine.errata) do
                local found = lists.set(erratum.events)
                assert(not found.INST_RETIRED_ANY or found.INSTR_RETIRED_ANY, erratum.id .. ": LIKWID's fixed counter is INSTR_RETIRED_ANY")
            end
        end)

        it("has its groups' events on the virtual node, unless its stage is native", function()
            local names = machine.processor and modelled(arch)
            for name, parsed in pairs(names and groups or {}) do
                for _, event in ipairs(parsed.events) do
                    assert(lists.any(names[event.event] or {}, function(unit) return is_of(event.counter, unit) end),
                        ("%s: %s on %s is not modelled"):format(name, event.event, event.counter))
                end
            end
        end)
    end)
end
