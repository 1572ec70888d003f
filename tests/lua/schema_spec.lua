-- schema_spec.lua - pattern and machine files: errors are reported with file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local schema = require "input.schema"

describe("schema", function()
    local pattern_text = fixture.text "patterns/bandwidth_saturation.lua"
    local machine_text = fixture.text "groups/haswellEP/machine.lua"

    local function message_of(reader, text, old, new)
        local at, to = text:find(old, 1, true)
        assert.is_number(at)
        local changed = text:sub(1, at - 1) .. new .. text:sub(to + 1)
        local ok, message = pcall(reader, { text = changed, file = "f.lua", shared = fixture.shared() })
        assert.is_false(ok)
        return message
    end

    -- The number of the line where a text begins in another one.
    local function line_of(text, part)
        local _, breaks = text:sub(1, text:find(part, 1, true)):gsub("\n", "")
        return tostring(breaks + 1)
    end

    it("reads the suite's own files", function()
        assert.equal(11, #fixture.pattern().codes)
        assert.equal("haswellEP", fixture.machine().arch)
    end)

    for _, case in ipairs {
        { 'code { name = "copy", kernel = "copy" }', 'code { name = "copy" }', "^f.lua:LINE: code.kernel must be a string, not absent$" },
        { 'code { name = "copy", kernel = "copy" }', 'code { name = "copy", kernel = "copy", x = 1 }',
            "^f.lua:LINE: code has no field 'x'$" },
        { 'name = "copy", kernel', 'name = "load", kernel', "^f.lua:LINE: code 'load' is given twice$" },
        { 'class = "bottleneck"', 'class = "bug"', "class must be one of bottleneck, hazard, work, not 'bug'$" },
        { "interval_pct = 0.25", "interval_pct = 0", "^f.lua:%d+: level.interval_pct must be greater than 0, not 0$" },
        { "interval_pct = 0.25", "interval_pct = 1e999", "^f.lua:%d+: level.interval_pct must be a finite number, not inf$" },
        { 'code { name = "copy", kernel = "copy" }', 'code { name = "a\\xff", kernel = "copy" }',
            "^f.lua:LINE: code.name must be UTF%-8$" },
        { 'code { name = "copy", kernel = "copy" }', '{ name = "copy" }', "codes%[3%] must be written as code { ... }$" },
        { "return pattern {", "return patern {", "^f.lua:%d+: .*patern" },
        { "return pattern {", "return pattern {{", "^f.lua:%d+: " },
        { 'present = control { level = "MEM"', 'present = control { level = "L7"', "controls.present must be control" },
        { 'present = control { level = "MEM"', 'other = 2, present = control { level = "MEM"', "controls has no field 'other'" },
        { 'against = { "load", "copy", "copy_nt" }', 'against = { "load", "dot" }',
            "^f.lua:%d+: pattern.against must be names of the pattern's codes, not 'dot'$" },
        { 'codes = { "load", "copy", "copy_nt" }', 'codes = { "dot" }',
            "^f.lua:%d+: level.codes must be names of the pattern's codes, not 'dot'$" },
        { 'against = { "load", "copy", "copy_nt" },', "", "^f.lua:%d+: level.against needs pattern.against: the codes that show it$" },
        { 'placements = { "domain", "socket" }', 'placements = { "core" }',
            "^f.lua:%d+: level 'MEM' is given twice with placement 'core'$" },
        { "title =", "os.exit(), title =", "^f.lua:%d+: .*'os'" },
        { 'codes = { "load", "store", "copy", "daxpy", ', 'codes = { "dot", "store", "copy", "daxpy", ',
            "^f.lua:%d+: control.codes must be names of the pattern's codes, not 'dot'$" },
        { 'also { pattern = "excess_volume"', 'also { pattern = "bandwidth_saturation"',
            "^f.lua:%d+: also.pattern must be another pattern than 'bandwidth_saturation'$" },
        { 'also { pattern = "excess_volume", reason', 'also { pattern = "excess_volume", why', "^f.lua:%d+: also " },
        { 'test { quantity = { "L3-MEM total bandwidth",', 'test { quantity = "L3-MEM total bandwidth", per = {',
            "^f.lua:%d+: test.%a+ must be a %a+, not %a+$" },
    } do
        it("refuses a pattern: " .. case[3], function()
            local wanted = case[3]:gsub("LINE", line_of(pattern_text, case[1]))
            assert.matches(wanted, message_of(schema.pattern, pattern_text, case[1], case[2]))
        end)
    end

    for _, case in ipairs {
        { 'name = "L2"', 'name = "L3"', "^f.lua:%d+: levels of data must be listed from L1 on; this is L3 at place 2$" },
        { 'store_to = "L3"', 'store_to = "L2"', "level.store_to of L2 must be L3, the level below$" },
        { 'store_to = "L3",', "", "level L2 must say where modified lines go: store_to or victims_to$" },
        { 'store_to = "L3"', 'victims_to = "L3"', "level L3 needs either load_from, or victims_to in the level above" },
        { 'load_from = "MEM",', "", "level L3 needs either load_from, or victims_to in the level above, not both$" },
        { 'store_to = "MEM"', 'victims_to = "MEM"', "level L3 gives victims to MEM, which is no cache" },
        { "write_back = true,", "", "level L1 must say whether it allocates lines for stores and writes back" },
        { 'evict = "iMC write volume", ', "", "volume.evict must name a metric of ASSAY_MEM, or lacks.evict say why there is none$" },
        { 'evict = "HA write bandwidth", ', "", "bandwidth.evict must name a metric of ASSAY_HA$" },
        { 'evict = "iMC write volume"', 'evikt = "iMC write volume"', "volume must be { load =, evict =, total = } with texts$" },
        { 'reason = "stack', 'lacks = { load = "r" }, reason = "stack',
            "volume.load names a metric, and lacks.load says that there is none$" },
        { 'load = "L1-L2 load volume", ', 'lacks = { load = "r" },',"volume must be { load =, evict =, total = } with texts$" },
        { 'scope = "core"', 'scope = "cluster"', "traffic.scope must be one of core, domain, socket, not 'cluster'$" },
        { 'metric_of_box = "CBOX%d data reads volume"', "boxes = 4, of_boxes = 4", "a part needs both `boxes` and `of_boxes`" },
        { 'metric_of_box = "CBOX%d data reads volume"', "boxes = 4", "a part needs both `boxes` and `of_boxes`" },
        { "errata = {", 'cannot = { absent { quantity = "divider uops", reason = "r" } }, errata = {',
            "quantity 'divider uops' has a count, and `cannot` says that there is none$" },
        { "errata = {", 'versions = { version { names = { "UMC" } } }, errata = {', "a version needs `since`, `upto` or both$" },
        { "errata = {", 'versions = { version { names = { "UMC" }, since = "5.10", upto = "5.9.1" } }, errata = {',
            "a version's `upto` must not be older than its `since`, 5.10$" },
        { 'name = "PMC", count = 4', 'name = "PMC", only = { E = { 4 } }, count = 4',
            "counters.only of E must be a list of its counters, 0 to 3$" },
        { '"12.1 8086:2f30"', '"12:1 8086:2f30"',
            "counters.devices must list a PCI device for each box, as in '12.1 8086:2f30', not 12:1 8086:2f30$" },
        { '"12.1 8086:2f30", ', "", "counters.devices must list a PCI device for each box, as in '12.1 8086:2f30'$" },
        { "code = { avx_calc = 1 }", 'code = { avx_calc = "1" }', "count.code must be { event = number, .. }$" },
        { "code = { avx_calc = 1 }", "code = { avx_calc = -1e999 }", "count.code.avx_calc must be a finite number, not %-inf$" },
        { "count = 3, bits = 48", "count = 3, bits = 0", "counters.bits must be greater than 0, not 0$" },
        { 'name = "PMC", count = 4', 'name = "PMC", count = "4"', "counters.count must be a number, not string$" },
    } do
        it("refuses a machine: " .. case[3], function()
            assert.matches(case[3], message_of(schema.machine, machine_text, case[1], case[2]))
        end)
    end
end)
