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

-- Patterns' names of quantities.
local function judged_quantities()
    local known = {}
    for file in io.popen("ls patterns/*.lua"):lines() do
        local pattern = loaded.find(schema.pattern { text = read(file), file = file })
        for _, one in ipairs(pattern.quantities or {}) do
            known[one.name] = true
        end
    end
    return known
end

local function expect_judged(counted)
    local known = judged_quantities()
    for _, one in ipairs(quantity.all(counted.machine, counted.groups)) do
        assert.is_true(known[one.name] or one.kind == "volume" or one.kind == "ratio", one.name)
    end
end

-- Lines "NAME = .." of a file, each with its entry among the machine's.
local function expect_entries(counted, file)
    for name in read(file):gmatch "%f[^\n%z](%w[%w_]*) = " do
        local entry = lists.find(counted.machine.traffic, function(one) return one.group == name end)
        assert.is_truthy(entry and counted.groups[name].metrics[1].name == name, name)
    end
end

describe("papi.presets", function()
    local counted = interface.papi { machine = fixture.machine(), groups = {}, text = read "groups/papi.presets" }

    it("has a group and an entry for each preset", function() expect_entries(counted, "groups/papi.presets") end)

    it("names quantities that patterns judge", function() expect_judged(counted) end)
end)

local LISTED = [[
  inst_retired.any
       [Instructions
        retired]
        cpu/event=0xc0,period=0x1e8483/
  taken
       [Taken branches]
        cpu/event=0xc4,period=0x61a89,umask=0x20/
  tor
       [Entries. Unit: uncore_cbox]
        uncore_cbox_0/event=0x35,umask=0x3/
  bare OR cpu/bare/ [Kernel PMU event]

Metrics:

  IpTB
       [Instructions per taken branch]
       [INST_RETIRED.ANY / TAKEN:u]
  TbPI
       [Taken branches per instruction]
       [1 / IpTB]
  Bare
       [An event without a description]
       [d_ratio(bare, INST_RETIRED.ANY)]
  Tor
       [Requests]
       [64 * cbox@TOR\\,filter_opc\\=0x182@ / duration_time]
  Sum
       [Bytes of memory]
       [uncore_imc@cas_count_read@]
  If
       [A condition]
       [TAKEN if INST_RETIRED.ANY else 0]
  Lost
       [An event without a code]
       [NOWHERE]
bare -> cpu/event=0x60,umask=0xf9/
]]

describe("interface.perf_metrics", function()
    local function counted(text, machine)
        return interface.perf_metrics { machine = machine or fixture.machine(), groups = {}, text = text, events = EVENTS, listed = LISTED,
            smt = 1 }
    end

    -- The formula of the metric's group, its events' selectors in words, and why it cannot be counted.
    local function metric(line)
        local group = counted(line).groups[line:match "^%S+"]
        return group.metrics[1].formula, table.concat(lists.map(group.events, "selector"), "; "), group.inexpressible
    end

    it("counts what perf's expression names", function()
        local formula, selectors = metric "TbPI = branches taken by TbPI * instructions"
        assert.equal("(1/(FIXC0/PMC0))*FIXC0", formula)
        assert.equal("hardware config=1; cpu event=0xc4,umask=0x20", selectors)
        assert.equal("((PMC0/FIXC0))", (metric "Bare = misprediction ratio"))
        assert.equal("cpu event=0x60,umask=0xf9; hardware config=1", select(2, metric "Bare = misprediction ratio"))
    end)

    it("adds up the boxes, with their filters", function()
        local formula, selectors = metric "Tor = L3-MEM load volume by Tor * time"
        assert.matches("^1.0E%-09%*%(%(64%*%(CBOX0C0:OPCODE=0x182%+CBOX1C0:OPCODE=0x182%+", formula)
        assert.matches("/time%)%*time%)$", formula)
        assert.matches("^uncore_cbox_0 event=0x35,umask=0x3,filter_opc=0x182; uncore_cbox_1 ", selectors)
        assert.matches("^uncore_imc_0 cas_count_read; ", select(2, metric "Sum = L3-MEM load volume * 64"))
        assert.equal("socket", counted("Tor = L3-MEM load volume by Tor * time").machine.traffic[1].scope)
    end)

    it("says of a metric why it cannot be judged, and leaves out what this perf does not know", function()
        assert.matches("^formula '.*if", select(3, metric "If = branches taken"))
        assert.equal("perf list does not say how to count NOWHERE", select(3, metric "Lost = branches"))
        assert.same({}, counted("Other = branches").machine.traffic)
    end)

    it("has metrics of perf.metrics for quantities that patterns judge", function()
        local text, listed = read "groups/perf.metrics", {}
        for name in text:gmatch "%f[^\n%z](%w[%w_]*) = " do
            listed[#listed + 1] = ("  %s\n       [described]\n       [INST_RETIRED.ANY]\n"):format(name)
        end
        local all = interface.perf_metrics { machine = fixture.machine(), groups = {}, text = text, events = EVENTS, smt = 2,
            listed = LISTED .. table.concat(listed) }
        expect_entries(all, "groups/perf.metrics")
        expect_judged(all)
    end)
end)
