-- lint_spec.lua - each rule of `assay lint` sees its fault in a small group or event table, and nothing in the right one.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture"
local lint = require "lint.lint"
local lists = require "input.lists"
local report = require "lint.report"
local rules = require "lint.rules"

local GROUP = [[
SHORT Double precision and memory

EVENTSET
FIXC0 INSTR_RETIRED_ANY
FIXC1 CPU_CLK_UNHALTED_CORE
PMC0 FP_SCALAR_DOUBLE
PMC1 FP_256B_PACKED_DOUBLE
PMC2:EDGEDETECT STALLS
MBOX0C0 CAS_RD
MBOX0C1 CAS_WR
MBOX1C0 CAS_RD
MBOX1C1 CAS_WR
MBOX2C0 CAS_RD
MBOX2C1 CAS_WR

METRICS
Runtime (RDTSC) [s] time
CPI FIXC1/FIXC0
DP [MFLOP/s] 1.0E-06*(PMC0+PMC1*4.0)/time
Stalls PMC2:EDGEDETECT
Memory read bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0)*64.0/time
Memory write bandwidth [MBytes/s] 1.0E-06*(MBOX0C1+MBOX1C1+MBOX2C1)*64.0/time
Memory bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1+MBOX1C1+MBOX2C1)*64.0/time
Memory data volume [GBytes] 1.0E-09*(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1+MBOX1C1+MBOX2C1)*64.0

LONG
Formulas:
DP [MFLOP/s] = 1.0E-06*(FP_SCALAR_DOUBLE+FP_256B_PACKED_DOUBLE*4)/runtime
Memory read bandwidth [MBytes/s] = 1.0E-06*SUM(CAS_RD)*64/runtime
]]

local TABLE = [[
# events
EVENT_INSTR_RETIRED 0x00 FIXC0
UMASK_INSTR_RETIRED_ANY 0x00
EVENT_CPU_CLK_UNHALTED 0x00 FIXC1
UMASK_CPU_CLK_UNHALTED_CORE 0x00
EVENT_FP 0xC7 PMC
UMASK_FP_SCALAR_DOUBLE 0x01
UMASK_FP_SCALAR_SINGLE 0x02
UMASK_FP_256B_PACKED_DOUBLE 0x10
EVENT_STALLS 0xA2 PMC
DEFAULT_OPTIONS_STALLS EVENT_OPTION_THRESHOLD=0x1
UMASK_STALLS 0x04
EVENT_CAS 0x04 MBOX
UMASK_CAS_RD 0x03
UMASK_CAS_WR 0x0C
]]

local COUNTERS = 'static RegisterMap tiny_counter_map[9] = {\n{"FIXC0", X},\n{"FIXC1", X},\n{"PMC0", X},\n{"PMC1", X},\n{"PMC2", X},\n'
    .. '{"PMC3", X},\n{"MBOX0C0", X},\n{"MBOX0C1", X},\n{"MBOX1C0", X},\n{"MBOX1C1", X},\n{"MBOX2C0", X},\n{"MBOX2C1", X},\n};\n'
local VENDOR = "event PMC 0xc7 0x01 FP_SCALAR_DOUBLE = FP.SCALAR_DOUBLE\n"
    .. "event PMC 0xc7 0x10 FP_256B_PACKED_DOUBLE = FP.256B_PACKED_DOUBLE\n"

local TABLE_FILE = "src/includes/perfmon_tiny_events.txt"

-- changes: group, event_table, counters, vendor |nil, siblings = array of texts |nil, cousins, cousins_tables = the same of other
-- architectures |nil, topology, switch = more text of topology.c and perfmon.c |nil, perfmon = entries of a vendor's list |nil
-- -> lint.findings()
local function findings(changes)
    local event_table = changes.event_table or TABLE
    local files = {
        { file = "groups/tiny/MEM_DP.txt", text = changes.group or GROUP, kind = "group", shown = true },
        { file = TABLE_FILE, text = event_table, kind = "table", shown = true },
    }
    for i, text in ipairs(changes.siblings or {}) do
        files[#files + 1] = { file = ("groups/tiny/S%d.txt"):format(i), text = text, kind = "group", shown = false }
    end
    for i, text in ipairs(changes.cousins or {}) do
        files[#files + 1] = { file = ("groups/c%d/MEM_DP.txt"):format(i), text = text, kind = "group", shown = false }
    end
    for i, text in ipairs(changes.cousins_tables or {}) do
        files[#files + 1] = { file = ("src/includes/perfmon_c%d_events.txt"):format(i), text = text, kind = "table", shown = false }
    end
    return lint.findings {
        files = files,
        source = {
            { file = "src/topology.c", text = 'static char* short_tiny = "tiny";\ncase TINY:\n cpuid_info.short_name = short_tiny;\n'
                .. (changes.topology or "") },
            { file = "src/perfmon.c", text = "case TINY:\n eventHash = tiny_arch_events;\n counter_map = tiny_counter_map;\n"
                .. (changes.switch or "") },
            { file = "src/includes/perfmon_tiny_counters.h", text = changes.counters or COUNTERS },
            { file = TABLE_FILE, text = event_table },
            changes.processor_table and { file = "src/includes/perfmon_tinyEP_events.txt", text = changes.processor_table } or nil,
        },
        listed = {},
        vendor = { { arch = "tiny", text = changes.vendor or VENDOR } },
        perfmon = changes.perfmon and { { arch = "tiny", list = { Events = changes.perfmon } } } or {},
    }
end

local function replaced(text, old, new)
    local first, last = text:find(old, 1, true)
    assert(first, old)
    return text:sub(1, first - 1) .. new .. text:sub(last + 1)
end

local function in_group(old, new)
    return { group = replaced(GROUP, old, new) }
end

local function in_table(old, new)
    return { event_table = replaced(TABLE, old, new) }
end

-- Masks in one digit, the last one with its digits exchanged.
local MASKS = "EVENT_INT_OPS 0x0B PMC\n"
for i = 1, 6 do
    MASKS = MASKS .. ("UMASK_INT_OPS_V_%s 0x%02X\n"):format(("ABCDEF"):sub(i, i), i == 6 and i or i << 4)
end

local function with_bytes(bytes)
    return replaced(replaced(GROUP, "1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0)*64", "1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0)*" .. bytes), "*64/r",
        "*" .. bytes .. "/r")
end

local APART = replaced(TABLE, "UMASK_STALLS 0x04", "UMASK_STALLS_SCALAR_DOUBLE 0x01")

-- Rule, what the bad twin changes, the file's line with the finding, and words of it that are derived from the change.
local CASES = {
    { "undefined-counter", in_group("Stalls PMC2:EDGEDETECT", "Stalls PMC2"), "it programs PMC2:EDGEDETECT" },
    { "unknown-event", in_group("PMC2:EDGEDETECT STALLS", "PMC2:EDGEDETECT STAL"), "no such event" },
    { "unknown-counter", in_group("MBOX2C1 CAS_WR", "MBOX2C1 CAS_WR\nMBOX3C1 CAS_WR"), "MBOX3C1: LIKWID knows" },
    { "counter-twice", in_group("PMC1 FP", "PMC1:EDGEDETECT STALLS\nPMC1 FP"), "PMC1 is programmed in line 7" },
    { "forbidden-counter", in_group("PMC2:EDGEDETECT STALLS", "PMC2:EDGEDETECT CAS_WR"), "CAS_WR is limited to MBOX" },
    { "unused-event", in_group("PMC1 FP", "PMC3 FP_SCALAR_SINGLE\nPMC1 FP"), "FP_SCALAR_SINGLE on PMC3" },
    { "missing-box", in_group("(MBOX0C0+MBOX1C0+MBOX2C0)*64.0/time", "(MBOX0C0+MBOX1C0)*64.0/time"),
        ("sums 2 of the 3 boxes that EVENTSET programs with CAS_RD, without MBOX2C0; this part of it is x%.3g"):format(2 / 3) },
    { "term-twice", in_group("(PMC0+PMC1*4.0)", "(PMC0+PMC0+PMC1*4.0)"), "adds PMC0 twice" },
    { "flop-weight", in_group("PMC1*4.0", "PMC1*8.0"), ("as 8 operations, its vectors have 4; these FLOPs are x%g"):format(8 / 4) },
    { "unit-scale", in_group("1.0E-09", "1.0E-06"), "scaled by 1e-6; its value is x1e+03" },
    { "unit-scale", in_group("+MBOX2C1)*64.0\n", "+MBOX2C1)*64.0/time\n"), "is divided by time" },
    { "precision", in_group("PMC0 FP_SCALAR_DOUBLE", "PMC0 FP_SCALAR_SINGLE"), "uses events of single precision",
        function(text) return replaced(text, "PMC1 FP_256B_PACKED_DOUBLE", "PMC1 FP_SCALAR_SINGLE") end },
    { "precision", in_group("SHORT Double", "SHORT Single"), "SHORT of MEM_DP says single precision" },
    { "formula", in_group("(PMC0+PMC1*4.0)", "(PMC0 +PMC1*4.0)"), "there is a blank in the formula" },
    { "formula", in_group("(PMC0+PMC1*4.0)", "(PMC0+PMC1*4.0"), "a ')' is missing" },
    { "algebra", in_group("CPI FIXC1/FIXC0", "CPI FIXC0/FIXC1"), "not cycles per instruction but its inverse" },
    { "algebra", in_group("MBOX2C1)*64.0\n", "MBOX2C1)*32.0\n"),
        ("is x%g of 'Memory bandwidth [MBytes/s]' times the time"):format(32 / 64) },
    { "algebra", in_group("Memory bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0+",
        "Memory bandwidth [MBytes/s] 1.0E-06*("), "leaves out parts of 'Memory read bandwidth" },
    { "same-formula", in_group("LONG", "Waits PMC2:EDGEDETECT\n\nLONG"), "has the formula of 'Stalls'",
        function(text) return replaced(text, "*64.0\n\nW", "*64.0\nW") end },
    { "documentation", in_group("SUM(CAS_RD)*64", "SUM(CAS_RD)*128"), ("the metric is x%g of what is documented"):format(64 / 128) },
    { "documentation", in_group("SUM(CAS_RD)*64", "SUM(CAS_WR)*64"), "their quotient depends on the counts" },
    { "siblings", { group = with_bytes "256", siblings = { GROUP, GROUP } }, ("for 256 bytes, in S1 and others for 64; its value is x%g")
        :format(256 / 64) },
    { "left-box", { counters = replaced(COUNTERS, '{"MBOX2C1"', '{"MBOX3C0", X},\n{"MBOX3C1", X},\n{"MBOX2C1"') },
        ("CAS_RD is programmed on 3 boxes, LIKWID knows MBOX3C0 as well; on a machine with all of them a sum is x%g"):format(3 / 4) },
    { "cousins", { group = replaced(GROUP, "\n\nLONG", "\nBeats [GBytes] 1.0E-09*PMC0*32.0\n\nLONG"):gsub("%*64", "*256"),
        cousins = { GROUP, GROUP } }, ("for 256 bytes, c1 and others for 64; its value is x%g")
        :format(256 / 64) },
    { "transposed", { event_table = TABLE .. MASKS }, "INT_OPS_V_F is 0x06, its 5 neighbours have the other digit; nothing has 0x60" },
    { "one-code", { event_table = replaced(TABLE, "EVENT_STALLS 0xA2", "EVENT_STALLS 0xC7"):gsub("DEFAULT[^\n]*\n", "")
        :gsub("UMASK_STALLS 0x04", "UMASK_STALLS_SCALAR_DOUBLE 0x01"), cousins_tables = { APART, APART } },
        "EVENT_FP and EVENT_STALLS have the code 0xc7 and a unit mask in common; 2 other tables tell them apart" },
    { "table-structure", in_table("DEFAULT_OPTIONS_STALLS", "DEFAULT_OPTIONS_STALL_X"), "stands above UMASK_STALLS" },
    { "table-structure", in_table("DEFAULT_OPTIONS_STALLS", "DEFAULT_OPTIONS_TALLS"), "has not the name of UMASK_STALLS" },
    { "table-structure", in_table("UMASK_CAS_WR 0x0C", "UMASK_CAS_WR 0x0C\nUMASK_FP_X 0x20"), "not below EVENT_FP" },
    { "table-structure", in_table("UMASK_CAS_WR 0x0C", "UMASK_CAS_WR 0x0C\nUMASK_CAS_WR 0x0D"), "is there twice" },
    { "table-structure", in_table("UMASK_CAS_WR 0x0C", "UMASK_CAS_WR 0x0C\nUMSK_CAS_X 0x0D"), "begins with no keyword" },
    { "generator", in_table("EVENT_STALLS 0xA2", "EVENT_STALLS 0xa2"), "does not recognise 'EVENT_STALLS 0xa2 PMC'" },
    { "generator", in_table("UMASK_STALLS 0x04", "UMASK_STALLS 0x0c"), "reads 0x0 of '0x0c'" },
    { "vendor", { vendor = replaced(VENDOR, "0x01", "0x03") }, "does not count what bits 0x02 of the unit mask select" },
    { "vendor-table", { vendor = replaced(VENDOR, "0x01", "0x03") }, "does not count what bits 0x02 of the unit mask select" },
    { "orphans", { counters = replaced(COUNTERS, '{"PMC0"', '{"QBOX0C0", X},\n{"PMC0"') }, "1 counter of QBOX have no event" },
    { "orphans", in_table("UMASK_CAS_WR 0x0C", "UMASK_CAS_WR 0x0C\nEVENT_QPI 0x01 QBOX\nUMASK_QPI 0x01"), "1 event is limited to QBOX" },
}

describe("lint", function()
    it("finds nothing in a right group and a right table", function()
        assert.same({}, findings {})
        assert.same({}, findings { siblings = { GROUP, GROUP } })
    end)

    for _, case in ipairs(CASES) do
        it(case[1] .. " sees: " .. case[3], function()
            local changes = case[2]
            if case[4] then
                changes = { group = case[4](changes.group) }
            end
            local text = report.text({ findings = lists.filter(findings(changes), function(one) return one.rule == case[1] end) }).text
            assert.is_truthy(text:find(case[3], 1, true), text)
        end)
    end

    it("has a case for each rule", function()
        local seen = lists.set(CASES, function(case) return case[1] end)
        for _, rule in ipairs(rules) do
            assert.is_true(rule.class == "S23" or seen[rule.name], rule.name) -- S23: lint_readers_spec.lua
        end
    end)

    it("takes lines of another size for those of an architecture that has no others, and sees nothing without most cousins", function()
        local all = with_bytes("256"):gsub("%*64", "*256")
        assert.same({}, findings { group = all, cousins = { GROUP, GROUP } })
        assert.same({}, findings { group = GROUP, cousins = { GROUP, all } })
    end)

    it("sees one code in no table whose cousins have it as well, nor for two spellings of a name", function()
        local both = replaced(TABLE, "EVENT_STALLS 0xA2", "EVENT_STALLS 0xC7"):gsub("DEFAULT[^\n]*\n", "")
            :gsub("UMASK_STALLS 0x04", "UMASK_STALLS_SCALAR_DOUBLE 0x01")
        local function seen(changes)
            return lists.count(findings(changes), function(one) return one.rule == "one-code" end)
        end
        assert.equal(1, seen { event_table = both, cousins_tables = { APART, APART } })
        assert.equal(0, seen { event_table = both, cousins_tables = { APART, both } })
        assert.equal(0, seen { event_table = both:gsub("STALLS", "FPS"), cousins_tables = { APART:gsub("STALLS", "FPS"),
            (APART:gsub("STALLS", "FPS")) } })
    end)

    it("sees no exchanged digits where an event has the mirrored mask", function()
        assert.same({}, findings { event_table = TABLE .. MASKS .. "UMASK_INT_OPS_S 0x60\n" })
    end)

    it("compares a folder that several processors share with the counters of all", function()
        local more = { topology = "case TINY_EP:\n cpuid_info.short_name = short_tiny;\n",
            switch = "case TINY_EP:\n eventHash = tinyEP_arch_events;\n counter_map = tiny_counter_map;\n" }
        local group = replaced(GROUP, "PMC2:EDGEDETECT STALLS", "PMC2:EDGEDETECT EXTRA")
        local function rules_of(changes)
            return lists.map(findings(changes), "rule")
        end
        assert.same({ "unknown-event" }, rules_of { group = group })
        assert.same({ "unknown-event" }, rules_of { group = group, topology = more.topology, switch = more.switch })
        more.group, more.processor_table = group, replaced(TABLE, "STALLS 0xA2", "EXTRA 0xA2"):gsub("_STALLS", "_EXTRA")
        assert.same({}, rules_of(more))
    end)

    it("knows options that a UMASK line sets by further numbers", function()
        local function found_with(table_text, options, line)
            local vendor = replaced(VENDOR, "FP_SCALAR_DOUBLE =", "FP_SCALAR_DOUBLE" .. options .. " =") .. (line or "")
            return lists.map(findings { event_table = replaced(TABLE, "UMASK_FP_SCALAR_DOUBLE 0x01", table_text), vendor = vendor }, "rule")
        end
        local name = "UMASK_FP_SCALAR_DOUBLE 0x01"
        assert.same({}, found_with(name .. " 0x80 0x01", " THRESHOLD=0x1 INVERT=0x1"))
        assert.same({ "vendor", "vendor-table" }, found_with(name .. " 0x80 0x01", ""))
        assert.same({ "vendor", "vendor-table" }, found_with(name, " THRESHOLD=0x1 INVERT=0x1"))
        assert.same({}, found_with(name .. " 0xFF 0xFF", "")) -- no options
        local boxes = replaced(TABLE, "UMASK_CAS_WR 0x0C", "UMASK_CAS_WR 0x0C 0x01 0x00")
        local line = "event MBOX 0x04 0x0c CAS_WR EXT=0x%x = CAS.WR\n"
        assert.same({}, findings { event_table = boxes, vendor = VENDOR .. line:format(1) })
        assert.is_true(#findings { event_table = boxes, vendor = VENDOR .. line:format(2) } > 0)
    end)

    it("warns of another unit mask of a list that no second one confirmed, and notes mask 0", function()
        local function severity(mask, table_text)
            local found = findings { event_table = table_text, perfmon = {
                { EventName = "STALLS", EventCode = "0xa2", UMask = mask, CounterMask = "1" } } }
            return found[1] and found[1].severity
        end
        assert.is_nil(severity("0x04"))
        assert.equal("warning", severity("0x05"))
        assert.equal("note", severity("0x05", (TABLE:gsub("UMASK_STALLS 0x04", "UMASK_STALLS 0x00"))))
        assert.equal("error", findings({ vendor = replaced(VENDOR, "0x01", "0x03") })[1].severity)
    end)

    it("names file, line, severity and rule", function()
        local found = findings(in_group("Stalls PMC2:EDGEDETECT", "Stalls PMC2"))
        assert.same({ "undefined-counter", "unused-event" }, lists.sorted(lists.set(found, function(one) return one.rule end)))
        local _, before = GROUP:sub(1, (GROUP:find("Stalls PMC2", 1, true))):gsub("\n", "\n")
        assert.is_truthy(report.text({ findings = found }).text:find(("groups/tiny/MEM_DP.txt:%d: error: metric 'Stalls' uses PMC2")
            :format(before + 1), 1, true))
    end)

    it("is silenced by a comment with a reason, above the line or above the file", function()
        local bad = replaced(GROUP, "PMC1*4.0)/", "PMC1*8.0)/"):gsub("DOUBLE%*4", "DOUBLE*8")
        assert.equal("flop-weight", findings({ group = bad })[1].rule)
        assert.same({}, findings { group = replaced(bad, "DP [M", "# lint: flop-weight: counted twice\nDP [M") })
        assert.same({}, findings { group = "# lint: flop-weight: counted twice\n" .. bad })
        local without = lists.map(findings { group = "# lint: flop-weight\n" .. bad }, "rule")
        assert.same({ "silence", "flop-weight" }, without)
        assert.equal("the comment silences nothing", findings({ group = "# lint: flop-weight: x\n" .. GROUP })[1].what)
        assert.same({}, findings { group = "# lint: unknown-event: an older LIKWID has it\n" .. GROUP })
        assert.equal("the comment gives no reason", findings({ group = "# lint: unknown-event\n" .. GROUP })[1].what)
    end)

    it("skips rules whose tables are not there", function()
        local found = lint.findings { files = { { file = "groups/other/A.txt", text = GROUP, kind = "group", shown = true } }, source = {},
            listed = {}, vendor = {}, perfmon = {} }
        assert.same({}, found)
    end)

    it("compares with LIKWID's list of a node only boxes that the node has", function()
        local listed = "This architecture has 5 counters.\nCounter, type\nFIXC0, Fixed counters\nFIXC1, Fixed counters\n"
            .. "PMC0, Core\nPMC1, Core\nPMC2, Core\n"
            .. "This architecture has 4 events.\nINSTR_RETIRED_ANY, 0x0, 0x0, FIXC0\nCPU_CLK_UNHALTED_CORE, 0x0, 0x0, FIXC1\n"
            .. "FP_SCALAR_DOUBLE, 0xC7, 0x1, PMC\nSTALLS, 0xA2, 0x4, PMC\n"
        local found = lint.findings { files = { { file = "g/tiny/A_DP.txt", text = GROUP, kind = "group", shown = true } }, source = {},
            listed = { { arch = "tiny", text = listed } }, vendor = {}, perfmon = {} }
        assert.same({ "unknown-event" }, lists.map(found, "rule"))
        assert.is_truthy(found[1].what:find("FP_256B_PACKED_DOUBLE", 1, true))
    end)

    it("finds nothing in our groups, with the vendor's codes for what they program", function()
        local files = {}
        local pipe <close> = assert(io.popen "ls build/groups/*/*.txt")
        for path in pipe:lines() do
            local file <close> = assert(io.open(path))
            files[#files + 1] = { file = path, text = file:read "a", kind = "group", shown = true }
        end
        assert.is_true(#files > 100)
        local found = lint.findings { files = files, source = {}, listed = {}, vendor = {}, perfmon = {} }
        assert.equal("", report.text({ findings = found }).text)
    end)
end)

describe("lint's reports", function()
    local found = findings(in_group("PMC1*4.0", "PMC1*8.0"))
    local argument = { findings = lists.filter(found, function(one) return one.rule == "flop-weight" end), program = "assay 1.2.3" }

    it("are workflow commands of GitHub", function()
        assert.is_truthy(report.github(argument).text:find "^::error file=groups/tiny/MEM_DP%.txt,line=%d+,title=flop%-weight::metric")
    end)

    it("are JUnit", function()
        local text = report.junit(argument).text
        assert.is_truthy(text:find('tests="1" failures="1"', 1, true), text)
        assert.is_truthy(text:find('<failure type="error" message="line', 1, true), text)
    end)

    it("are SARIF", function()
        local text = report.sarif(argument).text
        assert.is_truthy(text:find('"version":"1.2.3"', 1, true))
        assert.is_truthy(text:find('"ruleId":"flop-weight"', 1, true))
    end)

    it("list the rules", function()
        local _, count = report.rules().text:gsub("\n", "\n")
        assert.equal(#rules, count)
    end)
end)

describe("lint --fix", function()
    local fix = require "lint.fix"

    local function argument(text)
        return { files = { { file = "g/tiny/MEM_DP.txt", text = text, kind = "group", shown = true } }, source = {}, listed = {},
            vendor = {}, perfmon = {} }
    end

    local tail = GROUP:match "1.0E%-09%*.*$"
    local cut = tail:gsub("LONG.*", "LONG\nx")

    -- Each mended formula is the right one; a box is added behind the first that the sum has.
    for name, case in pairs {
        option = { "Stalls PMC2:EDGEDETECT", "Stalls PMC2", "Stalls PMC2:EDGEDETECT" },
        box = { "(MBOX0C0+MBOX1C0+MBOX2C0)*64.0/time", "(MBOX0C0+MBOX1C0)*64.0/time", "(MBOX0C0+MBOX2C0+MBOX1C0)*64.0/time" },
        weight = { "PMC1*4.0", "PMC1*8.0", "PMC1*4.0" },
        unit = { "1.0E-09*(", "1.0E-06*(", "1.0E-09*(" },
        factor = { "bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1+MBOX1C1+MBOX2C1)", "bandwidth [MBytes/s] 1.0E-06*MBOX0C0",
            "bandwidth [MBytes/s] 1.0E-06*(MBOX0C0+MBOX0C1+MBOX1C0+MBOX1C1+MBOX2C0+MBOX2C1)" },
        cut = { tail, cut:gsub("E%-09", "E-06"), cut },
        ending = { "1.0E-06*(PMC0+PMC1*4.0)/time\n", "1.0E-09*(PMC0+PMC1*4.0)/time\r\n", "1.0E-06*(PMC0+PMC1*4.0)/time\r\n" },
    } do
        it("mends: " .. name, function()
            local bad, mended = replaced(GROUP, case[1], case[2]), replaced(GROUP, case[1], case[3])
            local patch = fix.patch(argument(bad))
            assert.equal(1, patch.mended, patch.text)
            local folder = assert(io.popen "mktemp -d"):read "l"
            os.execute(("mkdir -p %s/g/tiny"):format(folder))
            for path, text in pairs { ["/g/tiny/MEM_DP.txt"] = bad, ["/patch"] = patch.text } do
                local file <close> = assert(io.open(folder .. path, "w"))
                file:write(text)
            end
            assert.is_true(os.execute(("cd %s && git init -q && git apply patch"):format(folder)))
            local file <close> = assert(io.open(folder .. "/g/tiny/MEM_DP.txt"))
            assert.equal(mended, file:read "a")
            os.execute("rm -r " .. folder)
        end)
    end

    -- Volume and intensity agree with the wrong bandwidth, and are found only after that is mended.
    it("completes a total, then what is made of it", function()
        local sums = { right = "(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1+MBOX1C1+MBOX2C1)*64.0", short = "(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1)*64.0" }
        local function group(sum)
            local text = replaced(replaced(GROUP, "1.0E-06*" .. sums.right, "1.0E-06*" .. sum), "1.0E-09*" .. sums.right, "1.0E-09*" .. sum)
            return replaced(text, "Stalls PMC2:EDGEDETECT\n",
                ("Stalls PMC2:EDGEDETECT\nOperational intensity [FLOP/Byte] (PMC0+PMC1*4.0)/(%s)\n"):format(sum))
        end
        assert.same({ text = "", mended = 0, findings = 0 }, fix.patch(argument(group(sums.right))))
        local patch = fix.patch(argument(group(sums.short)))
        assert.equal(3, patch.mended)
        local mended = lists.map(lists.words(patch.text, "\n%+[^+][^\n]*"), function(line)
            local counters = lists.words(line:match "%(%(?(MBOX[%w+]+)", "%w+")
            table.sort(counters)
            return table.concat(counters, "+")
        end)
        local all = "MBOX0C0+MBOX0C1+MBOX1C0+MBOX1C1+MBOX2C0+MBOX2C1"
        assert.same({ all, all, all }, mended)
    end)

    it("names a file as patch and git apply find it", function()
        local given = argument(replaced(GROUP, "1.0E-09*(", "1.0E-06*("))
        for _, case in ipairs {
            { "l/groups/tiny/A.txt", "l", "groups/tiny/A.txt" }, { "./groups/tiny/A.txt", ".", "groups/tiny/A.txt" },
            { "/l//groups/tiny/A.txt", "/l/", "groups/tiny/A.txt" }, { "likwid/tiny/A.txt", "l", "likwid/tiny/A.txt" },
            { "/l/tiny/A.txt", nil, "l/tiny/A.txt" }, { "tiny/A B.txt", nil, "tiny/A B.txt\t" },
        } do
            given.files[1].file, given.tree = case[1], case[2]
            assert.equal(("--- a/%s\n+++ b/%s\n"):format(case[3], case[3]), fix.patch(given).text:match "^.-\n.-\n")
        end
    end)

    it("does not complete what may be right: a volume of fewer counters than a bandwidth that is no total", function()
        local text = replaced(GROUP, "Memory data volume", "Memory read data volume [GBytes] 1.0E-09*(MBOX0C0+MBOX1C0+MBOX2C0)*64.0\n"
            .. "Memory data volume")
        local patch = fix.patch(argument(replaced(text, "1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0)*64.0/time",
            "1.0E-06*(MBOX0C0+MBOX1C0+MBOX2C0+MBOX0C1+MBOX1C1+MBOX2C1)*64.0/time")))
        assert.is_true(patch.findings > 0)
        assert.is_nil(patch.text:find "read data volume")
    end)

    it("leaves right groups alone, and what a change does not cure", function()
        assert.same({ text = "", mended = 0, findings = 0 }, fix.patch(argument(GROUP)))
        local bad = replaced(GROUP, "(PMC0+PMC1*4.0)", "(PMC0+PMC1*8.0+PMC1*0.5)"):gsub("LONG.*", "LONG\n")
        assert.equal(0, fix.patch(argument(bad)).mended)
    end)
end)
