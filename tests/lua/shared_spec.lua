-- shared_spec.lua - entries of a machine for groups that architectures share, and errors in them, with file and line.
-- SPDX-License-Identifier: GPL-3.0-or-later
package.path = "inherit/?.lua;" .. package.path
local fixture = require "fixture"
local lines_of = require "lines"
local lists = require "input.lists"
local schema = require "input.schema"

local MACHINE = fixture.text "groups/haswellEP/machine.lua"
local COUNTS = fixture.text "groups/counts.lua"

-- The machine with one text replaced by another in its own file, or in the one of counts.
local function read(file, old, new)
    local texts = { machine = MACHINE, counts = COUNTS }
    if file then
        local first, last = texts[file]:find(old, 1, true)
        texts[file] = texts[file]:sub(1, first - 1) .. new .. texts[file]:sub(last + 1)
    end
    return schema.machine { text = texts.machine, file = "m.lua", shared = { text = texts.counts, file = "c.lua" } }
end

local function shown(machine, group)
    local found = {}
    for _, entry in ipairs(machine.traffic) do
        if entry.group == group then
            found[#found + 1] = entry
        end
    end
    return found
end

describe("groups that architectures share", function()
    it("get the entries of the common file, with its line numbers", function()
        local entries, lines = shown(read(), "ASSAY_SYNC"), lines_of(COUNTS)
        assert.equal(3, #entries)
        for _, entry in ipairs(entries) do
            assert.equal("c.lua", entry.file)
            assert.equal("        count {", lines[entry.line])
            assert.equal(('            quantity = "%s",'):format(entry.quantity), lines[entry.line + 1])
        end
    end)

    it("get one entry for each of several metrics, with its own line number and the common fields", function()
        local entries = shown(read(), "ASSAY_BRANCH")
        local one = entries[2]
        assert.same({ "branches taken", "Branches taken", 0.1, "core" }, { one.quantity, one.metric, one.tolerance_pct, one.scope })
        assert.equal('                shown { quantity = "branches taken", metric = "Branches taken" },', lines_of(COUNTS)[one.line])
        assert.equal(entries[1].reason, one.reason)
        assert.is_nil(one.shows)
    end)

    it("get no entries if the machine does not name them", function()
        assert.equal(0, #shown(read("machine", '"ASSAY_SYNC",', ""), "ASSAY_SYNC"))
    end)

    it("show nothing that the machine cannot count", function()
        local quantities = {}
        local machine = read("machine", "cannot = {", 'cannot = { absent { quantity = "branches", reason = "r" },')
        for _, entry in ipairs(shown(machine, "ASSAY_BRANCH")) do
            quantities[#quantities + 1] = entry.quantity
        end
        assert.same({ "branches taken", "branches not taken" }, { quantities[1], quantities[2] })
    end)

    it("are added to the machine's own counts", function()
        local files = lists.set(shown(read(), "ASSAY_AVX"), "file")
        assert.same({ ["c.lua"] = true, ["m.lua"] = true }, files)
    end)

    for _, case in ipairs {
        { "machine", '"ASSAY_SYNC",', '"ASSAY_SINK",', "^m.lua:%d+: machine.alike names ASSAY_SINK, of which c.lua says nothing$" },
        { "machine", "\n    counts = {", '\n counts = { count { quantity = "branches", group = "ASSAY_BRANCH", metric = "Branches", '
            .. 'scope = "core", tolerance_pct = 1, reason = "r" },',
            "^m.lua:%d+: count of 'Branches' of ASSAY_BRANCH, which is in `alike`: c.lua says it already$" },
        { "machine", "cannot = {", 'cannot = { absent { quantity = "AVX loads", reason = "r" },',
            "^m.lua:%d+: quantity 'AVX loads' has a count, and `cannot` says that there is none$" },
        { "counts", "tolerance_pct = 0.1", "tolerance_pct = 0", "^c.lua:%d+: count.tolerance_pct must be greater than 0, not 0$" },
        { "counts", "code = { avx_to_sse = 1 }", "code = { 1 }", "^c.lua:%d+: count.code must be { event = number, .. }$" },
        { "counts", 'quantity = "branches taken"', 'quantiti = "branches taken"', "^c.lua:%d+: count has no field 'quantiti'$" },
        { "counts", 'metric = "Branches taken"', 'metric = "Branches taken", scope = "core"',
            "^c.lua:%d+: shown.scope is said of all that is shown here already$" },
        { "counts", 'shown { quantity = "branches taken"', '{ quantity = "branches taken"',
            "^c.lua:%d+: count.shows%[2%] must be written as shown { ... }$" },
        { "counts", "shows = {", "shows = {}, was = {", "^c.lua:%d+: count.shows must be a list of shown { ... }$" },
        { "counts", "shows = {", 'shows = "all", was = {', "^c.lua:%d+: count.shows must be a list of shown { ... }$" },
        { "machine", "traffic {", 'traffic { shows = { shown { boundary = "L1-L2" } }, ', "^m.lua:%d+: traffic has no field 'shows'$" },
        { "counts", "return alike {", "return {", "^c.lua:1: the file must return alike { ... }$" },
    } do
        it("refuses: " .. case[4], function()
            local ok, message = pcall(read, case[1], case[2], case[3])
            assert.is_false(ok)
            assert.matches(case[4], message)
        end)
    end

    it("are refused if the common file was not read", function()
        local ok, message = pcall(schema.machine, { text = MACHINE, file = "m.lua" })
        assert.is_false(ok)
        assert.matches("^m.lua:%d+: machine.alike names groups of groups/counts.lua, which was not read$", message)
    end)
end)
