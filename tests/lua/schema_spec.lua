-- schema_spec.lua - pattern and machine files: what is wrong is named with file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local schema = require "schema"

describe("schema", function()
    local pattern_text = fixture.text "patterns/bandwidth_saturation.lua"
    local machine_text = fixture.text "groups/haswellEP/machine.lua"

    local function message_of(reader, text, old, new)
        local at, to = text:find(old, 1, true)
        assert.is_number(at)
        local ok, message = pcall(reader, { text = text:sub(1, at - 1) .. new .. text:sub(to + 1), file = "f.lua" })
        assert.is_false(ok)
        return message
    end

    it("reads the suite's own files", function()
        assert.equal(11, #fixture.pattern().codes)
        assert.equal("haswellEP", fixture.machine().arch)
    end)

    for _, case in ipairs {
        { 'code { name = "copy", kernel = "copy" }', 'code { name = "copy" }', "^f.lua:15: code.kernel must be a string, not absent$" },
        { 'code { name = "copy", kernel = "copy" }', 'code { name = "copy", kernel = "copy", x = 1 }',
            "^f.lua:15: code has no field 'x'$" },
        { 'name = "copy", kernel', 'name = "load", kernel', "^f.lua:15: code 'load' is given twice$" },
        { 'class = "bottleneck"', 'class = "bug"', "class must be one of bottleneck, hazard, work, not 'bug'$" },
        { "interval_pct = 0.5", "interval_pct = 0", "^f.lua:26: level.interval_pct must be greater than 0, not 0$" },
        { 'code { name = "copy", kernel = "copy" }', '{ name = "copy" }', "codes%[3%] must be written as code { ... }$" },
        { "return pattern {", "return patern {", "^f.lua:%d+: .*patern" },
        { "return pattern {", "return pattern {{", "^f.lua:%d+: " },
        { 'present = control { level = "MEM"', 'present = control { level = "L7"', "controls.present must be control" },
        { "title =", "os.exit(), title =", "^f.lua:%d+: .*'os'" },
    } do
        it("refuses a pattern: " .. case[3], function()
            assert.matches(case[3], message_of(schema.pattern, pattern_text, case[1], case[2]))
        end)
    end

    for _, case in ipairs {
        { "level = 2, write", "level = 3, write", "caches must be listed from level 1 on" },
        { 'evict = "iMC write volume", ', "", "volume.evict must name a metric of ASSAY_MEM$" },
        { 'name = "PMC", count = 4', 'name = "PMC", count = "4"', "counters.count must be a number, not string$" },
    } do
        it("refuses a machine: " .. case[3], function()
            assert.matches(case[3], message_of(schema.machine, machine_text, case[1], case[2]))
        end)
    end
end)
