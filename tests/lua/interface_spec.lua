-- interface_spec.lua - groups as other interfaces than LIKWID count them. SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local interface = require "plan.interface"
local lists = require "input.lists"
local loaded = require "input.loaded"
local quantity = require "plan.quantity"
local schema = require "input.schema"

local EVENTS = [[
event PMC 0xc4 0x20 TAKEN = CORE_BRANCHES
response 0xb7 0x01 0x1a6 RESPONSE
event CBOX 0x35 0x21 TOR = 0
event MBOX 0x04 0x03 CAS = 0
driver CBOX uncore_cbox
driver MBOX uncore_imc one 0x0304
]]

local function read(file)
    local input <close> = assert(io.open(file))
    return input:read "a"
end

-- The events of a group with these counters and events, after interface.perf; and the reason why perf cannot count the group.
local function selected(...)
    local group = { name = "G", metrics = {}, events = lists.map({ ... }, function(text)
        local counter, options, event = text:match "^(%w+):?(%S*) (%S+)$"
        return { name = counter, counter = counter, options = options, event = event }
    end) }
    local found = interface.perf { machine = fixture.machine(), groups = { G = group }, events = EVENTS }.groups.G
    return found.events, found.inexpressible
end

describe("interface.perf", function()
    it("codes events of the core, fixed ones by Linux' general events", function()
        local events = selected("FIXC0 INSTR", "PMC3 TAKEN", "PMC0:MATCH0=0x0001:MATCH1=0x2 RESPONSE")
        assert.equal("hardware config=1", events[1].selector)
        assert.equal("cpu event=0xc4,umask=0x20", events[2].selector)
        assert.equal(("cpu event=0xb7,umask=0x1,offcore_rsp=%#x"):format(1 | 2 << 16), events[3].selector)
        assert.equal("core", events[2].scope)
    end)

    it("names the PMU of a box, and filters by Linux' fields", function()
        local events = selected("MBOX3C1 CAS", "CBOX12C0:OPCODE=0x182 TOR")
        assert.equal("uncore_imc_3 event=0x4,umask=0x3", events[1].selector)
        assert.equal("uncore_cbox_12 event=0x35,umask=0x21,filter_opc=0x182", events[2].selector)
        assert.equal("socket", events[1].scope)
    end)

    it("says of a group why perf cannot count it", function()
        for text, why in pairs {
            ["MBOX0C0:NOBODY=1 CAS"] = "perf has no field for LIKWID's option NOBODY of CAS",
            ["MBOX0C0 OTHER"] = "perf has no PMU for OTHER of counter MBOX0C0",
            ["PMC0:EDGEDETECT TAKEN"] = "the code of TAKEN is not known",
        } do
            local _, inexpressible = selected("PMC1 TAKEN", text)
            assert.equal(why, inexpressible)
        end
    end)
end)

describe("papi.presets", function()
    local machine = fixture.machine()
    local counted = interface.papi { machine = machine, groups = {}, text = read "groups/papi.presets" }

    it("has a group and an entry for each preset", function()
        for line in read("groups/papi.presets"):gmatch "[^\n]+" do
            local preset = line:match "^(PAPI_%S+)"
            local entry = preset and lists.find(counted.machine.traffic, function(one) return one.group == preset end)
            assert.is_truthy(not preset or entry and counted.groups[preset].metrics[1].name == preset, line)
        end
    end)

    it("names quantities that patterns judge", function()
        local known = {}
        for file in io.popen("ls patterns/*.lua"):lines() do
            local pattern = loaded.find(schema.pattern { text = read(file), file = file })
            for _, one in ipairs(pattern.quantities or {}) do
                known[one.name] = true
            end
        end
        for _, one in ipairs(quantity.all(counted.machine, counted.groups)) do
            assert.is_true(known[one.name] or one.kind == "volume" or one.kind == "ratio", one.name)
        end
    end)
end)
