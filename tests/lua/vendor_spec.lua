-- The vendor check: differences between LIKWID's codes and the vendor's, on small tables and with wrong codes planted in real ones.
-- SPDX-License-Identifier: GPL-3.0-or-later
local absences = require "input.absences"
local fixture = require "fixture"
local group_file = require "input.group"
local lists = require "input.lists"
local pmu_lines = require "input.pmu_lines"
local quantity = require "plan.quantity"
local text = require "report.text.vendor"
local vendor = require "input.vendor"

-- A list as likwid-perfctr -e prints it, of selects { name =, unit =, code =, umask =, options = }.
local function list_of(selects)
    local lines = { "This architecture has 999 events." }
    for _, one in ipairs(selects) do
        local is_fixed, words = one.unit == "FIXC", {}
        for option, value in pairs(one.options) do
            words[#words + 1] = ("%s=0x%X"):format(option, value)
        end
        lines[#lines + 1] = ("%s, 0x%X, 0x%X, %s%s"):format(one.name, is_fixed and 0 or one.code, one.umask,
            is_fixed and "FIXC" .. one.code or one.unit, #words > 0 and ", " .. table.concat(words, "|") or "")
    end
    return table.concat(lines, "\n") .. "\n"
end

local function row_of(likwid, codes, written)
    local event = "event PMC 0x24 0xc1 THIS_ONE = 0"
    return vendor.check { codes = codes, events = "response 0xb7 0x01 0x1a6 OFFCORE\n" .. event,
        text = "\nTHIS_ONE, " .. likwid .. "\nOFFCORE, 0xB7, 0x1, PMC\n", written = written }
end

describe("the vendor check", function()
    local CODES = "event PMC 0x24 0xc1 THIS_ONE = THE.VENDOR'S\nevent PMC 0x25 0x01 OTHER = ANOTHER.ONE\n"

    it("describes what a wrong select counts", function()
        local function found(likwid, codes)
            local row = row_of(likwid, codes or CODES)[2]
            return row.state .. (row.consequence and ": " .. row.consequence or "")
        end
        assert.are.equal("same", found "0x24, 0xC1, PMC")
        assert.are.equal("differs: does not count what bits 0x80 of the unit mask select", found "0x24, 0x41, PMC")
        assert.are.equal("differs: also counts what bits 0x02 of the unit mask select", found "0x24, 0xC3, PMC")
        assert.are.equal("differs: counts what other bits of the unit mask select: 0x02 instead of 0xc1", found "0x24, 0x2, PMC")
        assert.are.equal("differs: counts another event", found "0x26, 0xC1, PMC")
        assert.are.equal("differs: counts another event; the vendor calls it ANOTHER.ONE", found "0x25, 0x1, PMC")
        assert.are.equal("differs: sets THRESHOLD to 0x1 instead of 0x0", found "0x24, 0xC1, PMC, THRESHOLD=0x1")
        assert.are.equal("differs: sets EXT to 0x0 instead of 0x7",
            found("0x24, 0xC1, PMC", "event PMC 0x24 0xc1 THIS_ONE EXT=0x7 = THE.VENDOR'S"))
        assert.are.equal("differs: does not count what bits 0x80 of the unit mask select; libpfm4 has LIKWID's unit mask, too: the "
            .. "vendor may have changed it", found("0x24, 0x41, PMC", "event PMC 0x24 0xc1 THIS_ONE OLD=0x41 = THE.VENDOR'S"))
        assert.are.equal("LIKWID only", found("0x24, 0xC1, PMC", "event PMC 0x25 0x01 OTHER = ANOTHER.ONE"))
        local wrong = "differs: pmu.events has 0x24:0xc1, which also counts what bits 0x80 of the unit mask select"
        assert.are.equal(wrong, found("0x24, 0x41, PMC", "event PMC 0x25 0x01 OTHER = ANOTHER.ONE"))
        assert.are.equal(wrong, found("0x24, 0x41, PMC", "event PMC 0x24 0x41 THIS_ONE = THE.VENDOR'S"))
        assert.are.equal("LIKWID only", vendor.check { codes = CODES, events = "event CBOX 0x34 0xff LOOK = 0",
            text = "\nLOOK, 0x34, 0xFF, CBOX, MATCH0=0x1FC1\n" }[1].state)
        assert.are.equal("not in LIKWID", vendor.check { codes = CODES, events = "event PMC 1 1 NEWER = 0", text = "\n" }[1].state)
    end)

    it("compares the mask of reads and writes, which is a unit mask in pmu.events", function()
        local codes = "event UMC 0x0a 0x00 CAS_RD MASK0=0x1 = umc_cas_cmd.rd\n"
        local function found(mask, listed)
            local row = vendor.check { codes = codes, events = ("event UMC 0x0a %d CAS_RD = 0"):format(mask), text = listed }[1]
            return row.consequence or row.state
        end
        assert.are.equal("same", found(1))
        assert.are.equal("sets MASK0 to 0x2 instead of 0x1", found(2))
        assert.are.equal("same", found(1, "\nCAS_RD, 0xA, 0x0, UMC, MASK0=0x1\n"))
        assert.are.equal("sets MASK0 to 0x0 instead of 0x1", found(1, "\nCAS_RD, 0xA, 0x0, UMC\n"))
        assert.is_truthy(found(2, "\nCAS_RD, 0xA, 0x0, UMC, MASK0=0x1\n"):find "^pmu.events has 0x0a:0x02")
    end)

    it("finds bits of a register that LIKWID does not write", function()
        local codes = CODES .. "event PMC 0xb7 0x01 OFFCORE BITS=0x220fff = OFFCORE_RESPONSE"
        local written = "DEBUG - [x:1] SETUP_OFFCORE0 [0] Register 0x%X , Flags: 0x%X \nDEBUG CLEAR [0] Register 0x1A6 , Flags: 0x0 \n"
        local function found(...) return row_of("0x24, 0xC1, PMC", codes, written:format(...))[1] end
        assert.are.equal("same", found(0x1a6, 0x3fffff).state)
        assert.are.equal("never sets bits 0x220000 of its register", found(0x1a6, 0xfff).consequence)
        assert.are.equal("same", found(0x1a7, 0xfff).state) -- of another register
        assert.are.equal("same", row_of("0x24, 0xC1, PMC", codes)[1].state) -- unknown
        assert.are.same({ text = "OFFCORE:PMC0:MATCH0=0xFFFFFFFFFFFFFFFF:MATCH1=0xFFFFFFFFFFFFFFFF" },
            vendor.registers { events = "response 0xb7 0x01 0x1a6 OFFCORE" })
        assert.are.same({}, vendor.registers { events = "" })
    end)

    it("names a line whose code or unit mask is no number", function()
        for _, line in ipairs { "event PMC 0x2z 0x01 ONE = X", "event PMC 0x24 1+ ONE = X" } do
            local why = ("'%s': code and unit mask must be numbers"):format(line)
            assert.has_error(function() pmu_lines.read("# PMU\n" .. line .. "\n") end, why)
        end
    end)

    it("gives a metric the differences of its own events", function()
        local group = group_file.parse { file = "G.txt", text = "SHORT s\n\nEVENTSET\nPMC0 THIS_ONE\nPMC1 OTHER\nPMC2 NEW\n\nMETRICS\n"
            .. "A PMC0\nB PMC1\nC PMC2\n\nLONG\nx\n" }
        local rows = { { event = "THIS_ONE", state = "differs" }, { event = "OTHER", state = "same" } }
        local differs = rows[1]
        rows = vendor.by_event(rows)
        assert.are.same({ differs }, { table.unpack(vendor.of_metric(rows, group, "A")) })
        assert.are.same({}, { table.unpack(vendor.of_metric(rows, group, "B")) })
        assert.are.same({ event = "NEW", state = "not compared" }, vendor.of_metric(rows, group, "C")[1])
        assert.is_nil(vendor.of_metric(vendor.by_event(nil), group, "A"))
    end)

    it("is printed with the number of each state", function()
        local lines = text.render { rows = row_of("0x24, 0x41, PMC", CODES), absences = {} }.text
        assert.is_truthy(lines:find "THIS_ONE  PMC   0x24:0x41  0x24:0xc1  THE.VENDOR'S   differs: does not count what bits 0x80")
        assert.is_truthy(lines:find "\n1 LIKWID only, 1 differs\n$")
        assert.is_truthy(text.render { rows = {}, absences = {} }.text:find "no vendor's table")
    end)

    -- Mistakes as in LIKWID's history: digits transposed, a neighbour's code or mask, a bit lost or added, an option lost or added.
    local MISTAKES = {
        function(one) one.code = one.code >> 4 & 0x0f | one.code << 4 & 0xf0 | one.code & ~0xff end,
        function(one) one.code = one.code ~ 1 end,
        function(one) one.umask = one.umask == 0 and 1 or 0 end,
        function(one) one.umask = one.umask | one.umask << 1 & 0xff | 0x80 end,
        function(one) one.umask = one.umask ~ 0x20 end,
        function(one) one.options.THRESHOLD = one.options.THRESHOLD == nil and 1 or nil end,
        function(one) one.options.EDGEDETECT = 1 end,
        function(one) one.options.ANYTHREAD = 1 end,
    }

    -- Plants 16 wrong codes, spread over the table, by the first mistakes -> the planted names. text_of: where they must be seen.
    local function plant(selects, text_of, mistakes)
        local planted, step = {}, #selects // 16
        for i = 1, 16 do
            local mistake, at = MISTAKES[(i - 1) % mistakes + 1], (i - 1) * step + 1
            local one, right = selects[at], text_of { selects[at] }
            if one.unit == "FIXC" then
                mistake = function(fixed) fixed.code = fixed.code ~ 1 end -- only the counter's number matters
            end
            mistake(one)
            if text_of { one } == right then
                one.umask = one.umask ~ 0x40 -- this mistake changes nothing there
            end
            planted[one.name] = true
        end
        return planted
    end

    -- Lines of pmu.vendor or, without options, of pmu.events.
    local function lines_of(selects, has_options)
        local lines = {}
        for i, one in ipairs(selects) do
            local words, mask = {}, one.umask | (has_options and 0 or one.options.MASK0 or 0)
            for option, value in pairs(has_options and one.options or {}) do
                words[#words + 1] = (" %s=0x%x"):format(option, value)
            end
            lines[i] = ("event %s %d %d %s%s = 0"):format(one.unit, one.code, mask, one.name, table.concat(words))
        end
        return table.concat(lines, "\n")
    end

    -- What is compared, { how it is written, how many of the mistakes it can have }.
    local PLACES = {
        text = { list_of, #MISTAKES },
        codes = { function(selects) return lines_of(selects, true) end, #MISTAKES },
        events = { lines_of, 5 },
    }

    -- The right selects of an architecture's table, without what LIKWID's list does not show.
    local function selects_of(arch)
        local selects = pmu_lines.read(fixture.text("groups/" .. arch .. "/pmu.vendor")).events
        for _, one in ipairs(selects) do
            for _, option in ipairs { "COUNTERS", "OLD", "BITS", "EXTSEL" } do
                one.options[option] = nil
            end
        end
        return selects
    end

    for _, arch in ipairs(fixture.architectures "machine.lua") do
        for place, how in pairs(PLACES) do
            it(("names sixteen wrong codes planted in its `%s`, and no right one: %s"):format(place, arch), function()
                local argument, selects = {}, selects_of(arch)
                for name, other in pairs(PLACES) do
                    argument[name] = other[1](selects)
                end
                for _, row in ipairs(vendor.check(argument)) do
                    assert.are.equal("same", row.state, row.event)
                end
                local planted, count = plant(selects, how[1], how[2]), 0
                argument[place] = how[1](selects)
                for _, row in ipairs(vendor.check(argument)) do
                    assert.are.equal(planted[row.event] and "differs" or "same", row.state, row.event)
                    count = count + (planted[row.event] and 1 or 0)
                end
                assert.are.equal(16, count)
            end)
        end
    end

    for _, arch in ipairs(fixture.architectures "pmu.events") do
        it("finds the vendor's codes in what a virtual node decodes: " .. arch, function()
            local of_node = fixture.text("groups/" .. arch .. "/pmu.events")
            local rows, counts = vendor.check { codes = fixture.text("groups/" .. arch .. "/pmu.vendor"), events = of_node }, {}
            for _, row in ipairs(rows) do
                counts[row.state] = (counts[row.state] or 0) + 1
                -- an event of a node that counts at most once a cycle needs no threshold
                local is_threshold = row.consequence == "sets THRESHOLD to 0x0 instead of 0x1"
                assert.is_truthy(row.state ~= "differs" or is_threshold and of_node:find(row.event .. " once", 1, true), row.event)
            end
            assert.is_true(counts.same > 5 * (counts["LIKWID only"] or 0))
        end)
    end
end)

describe("the search for absent quantities", function()
    local patterns = fixture.text "groups/absences.txt"

    it("names LIKWID's events that may count one", function()
        local machine = { cannot = { { quantity = "aliased loads", reason = "why" }, { quantity = "never searched", reason = "why" } } }
        local function search(...)
            return absences.search { machine = machine, patterns = patterns, list = { ... } }
        end
        assert.are.same({}, { table.unpack(search({ event = "LD_BLOCKS_STORE_FORWARD" })[1].events) })
        local rows = search({ event = "LD_BLOCKS_PARTIAL_ADDRESS_ALIAS" }, { event = "OTHER" })
        assert.are.same({ "LD_BLOCKS_PARTIAL_ADDRESS_ALIAS" }, { table.unpack(rows[1].events) })
        assert.are.equal(1, #rows)
        assert.is_truthy(text.render { rows = {}, absences = rows }.text
            :find("absent: aliased loads: why; LIKWID's list has LD_BLOCKS_PARTIAL_ADDRESS_ALIAS\n", 1, true))
    end)

    it("finds the events on architectures that can count the quantity", function()
        local known, controls = absences.patterns(patterns), {}
        for _, arch in ipairs(fixture.architectures "machine.lua") do
            local machine, groups = fixture.machine(arch), fixture.groups(arch)
            for _, one in ipairs(quantity.all(machine, groups)) do
                local events = known[one.name] and group_file.events_of(groups[one.group], group_file.metric(groups[one.group], one.metric))
                assert.is_true(events == nil or lists.any(events, function(event)
                    return absences.matches(known[one.name], event.event)
                end), arch .. " " .. one.name)
                controls[one.name] = events and true or controls[one.name]
            end
        end
        for name in pairs(known) do
            assert.is_true(controls[name], name .. " is counted nowhere")
        end
    end)
end)
