-- lint_readers_spec.lua - the rules of `assay lint` on files of other tools: PAPI's presets, metrics of perf and Intel, and
-- cc-metric-collector's configuration. SPDX-License-Identifier: GPL-3.0-or-later
require "fixture"
local lint = require "lint.lint"
local lists = require "input.lists"
local report = require "lint.report"
local rules = require "lint.rules"

local HEADER = "#define PAPI_TOT_INS (PAPI_TOT_INS_idx | PAPI_PRESET_MASK)\n#define PAPI_DP_OPS (PAPI_DP_OPS_idx  | PAPI_PRESET_MASK)\n"
    .. "#define PAPI_BR_INS (PAPI_BR_INS_idx  | PAPI_PRESET_MASK)\n"

local PRESETS = [[
# two names of one processor
CPU,tiny
#
CPU,tiny_2
PRESET,PAPI_TOT_INS,NOT_DERIVED,INST_RETIRED
PRESET,PAPI_DP_OPS,DERIVED_POSTFIX,N0|N1|4|*|+|,FP:SCALAR_DOUBLE,FP:256B_PACKED_DOUBLE,NOTE,'of the core, not the thread'
EVENT,TAKEN,DERIVED_INFIX,N0-N1,BR_ALL,BR_NOT_TAKEN
CPU,other
PRESET,PAPI_TOT_INS,DERIVED_ADD,INST_A,INST_B
]]

local PERF = [=[
[
  { "MetricName": "memory_bandwidth_read", "ScaleUnit": "1MB/s",
    "MetricExpr": "( UNC_M_CAS.RD * 64 / 1000000 ) / duration_time" },
  { "MetricName": "volume", "ScaleUnit": "64Bytes", "MetricExpr": "UNC_M_CAS.RD + uncore_imc@UNC_M_CAS.WR\\,edge\\=1@" },
  { "MetricName": "clock", "ScaleUnit": "1GHz", "MetricExpr": "CPU_CLK.THREAD / CPU_CLK.REF * #SYSTEM_TSC_FREQ / 1e9" },
  { "MetricName": "tma_bound", "MetricExpr": "max(1 - cpu@CPU_CLK.THREAD\\,cmask\\=1@ / slots, 0)", "ScaleUnit": "100%" },
  { "MetricName": "tma_core_bound", "MetricExpr": "tma_bound - topdown\\-retiring / slots if #SMT_on else 0" }
]
]=]

local EVENTS = '[{"EventName": "UNC_M_CAS.RD"}, {"EventName": "UNC_M_CAS.WR"}, {"EventName": "CPU_CLK.THREAD"}, '
    .. '{"EventName": "cpu_clk.ref"}]'

local INTEL = [=[
{ "Metrics": [
  { "MetricName": "memory_bandwidth_total", "UnitOfMeasure": "MB/sec",
    "Events": [ { "Name": "UNC_M_CAS.RD", "Alias": "a" }, { "Name": "UNC_M_CAS.WR", "Alias": "b" } ], "Constants": [],
    "Formula": "((a + b) * 64 / 1000000) / DURATIONTIMEINSECONDS" },
  { "MetricName": "clock", "UnitOfMeasure": "GHz",
    "Events": [ { "Name": "CPU_CLK.THREAD:c1", "Alias": "a" }, { "Name": "CPU_CLK.REF", "Alias": "b" } ],
    "Constants": [ { "Name": "SYSTEM_TSC_FREQ", "Alias": "c" } ],
    "Formula": "(a / b * c) / 1000000000" },
  { "MetricName": "child", "ParentCategory": "parent", "Events": [ { "Name": "CPU_CLK.REF", "Alias": "a" } ], "Formula": "a" },
  { "MetricName": "parent", "Events": [ { "Name": "CPU_CLK.REF", "Alias": "z" } ], "Formula": "z" }
] }
]=]

local COLLECTOR = [=[
{ "cpustat": {}, "likwid": {
  "eventsets": [ {
    "events": { "PMC0": "INSTR", "PMC1": "FP_256B_PACKED_DOUBLE", "MBOX0C0": "CAS_RD", "MBOX1C0": "CAS_RD", "PWR0": "RAPL_CORE_ENERGY" },
    "metrics": [
      { "name": "flops_dp [MFlops/s]", "calc": "0.000001*PMC1*4.0/time", "type": "hwthread", "publish": true },
      { "name": "ips", "calc": "PMC0/time", "type": "hwthread", "publish": false },
      { "name": "mem", "calc": "0.000001*(MBOX0C0+MBOX1C0)*64.0/time", "unit": "Mbyte/s", "type": "socket", "publish": true },
      { "name": "power", "calc": "PWR0/time", "unit": "W", "type": "hwthread", "publish": true }
    ] } ],
  "globalmetrics": [ { "name": "all", "calc": "mem*2", "unit": "Mbyte/s", "type": "socket", "publish": true } ]
} }
]=]

local FILES = { papi = { "papi_events.csv", PRESETS, "papiStdEventDefs.h", HEADER }, perf = { "metrics.json", PERF, "cache.json", EVENTS },
    intel = { "m/metrics.json", INTEL, "m/../events/cache.json", EVENTS }, collector = { "collectors.json", COLLECTOR } }

-- The findings as lines "FILE:LINE: severity: ..", for a file with `old` replaced by `new`.
local function text_of(kind, old, new)
    local file, text, companion, names = table.unpack(FILES[kind])
    local first, last = text:find(old or "^", 1, old ~= nil)
    assert(first, old)
    text = old and text:sub(1, first - 1) .. new .. text:sub(last + 1) or text
    return report.text({ findings = lint.findings { source = {}, listed = {}, vendor = {}, perfmon = {}, files = {
        { file = file, text = text, kind = "group", shown = true },
        companion and { file = companion, text = names, kind = "names", shown = false } or nil,
    } } }).text
end

-- File, right text, wrong text, the finding's line and words, its rule.
local CASES = {
    { "papi", "N0|N1|4|*|+|", "N0|N2|4|*|+|", ":6:", "uses N2, which the preset does not program; PAPI adds", "undefined-counter" },
    { "papi", "N0|N1|4|*|+|", "N1|4|*|", ":6:", "FP:SCALAR_DOUBLE on N0 is programmed and in no metric", "unused-event" },
    { "papi", "N0|N1|4|*|+|", "N0|N1|4|*|", ":6:", "2 operands remain instead of one", "formula" },
    { "papi", "N0|N1|4|*|+|", "N0|N1|*|+|", ":6:", "'+' lacks an operand", "formula" },
    { "papi", "N0|N1|4|*|+|", "N0|N1|0.5|*|+|", ":6:", "'0.5' is no operand", "formula" },
    { "papi", "N0|N1|4|*|+|", "N0|N1|8|*|+|", ":6:",
        ("as 8 operations, its vectors have 4; these FLOPs are x%g"):format(8 / 4), "flop-weight" },
    { "papi", "N0|N1|4|*|+|", "N0|N0|+|N1|4|*|+|", ":6:", "adds N0 twice", "term-twice" },
    { "papi", "FP:SCALAR_DOUBLE,FP:256B_PACKED_DOUBLE", "FP:SCALAR_SINGLE,FP:256B_PACKED_SINGLE", ":6:", "events of single precision",
        "precision" },
    { "papi", "N0-N1", "N0-(N1", ":7:", "a ')' is missing at character 7; PAPI computes", "formula" },
    { "papi", "NOT_DERIVED,INST", "INST", ":5:", "'INST_RETIRED' is no derivation; PAPI leaves the preset out", "formula" },
    { "papi", "NOT_DERIVED,INST_RETIRED", "NOT_DERIVED,NOTE,'x'", ":5:", "PAPI_TOT_INS has no event; PAPI leaves", "formula" },
    { "papi", "EVENT,TAKEN", "PRESET,PAPI_TOT_INS,NOT_DERIVED,OTHER\nEVENT,TAKEN", ":7:",
        "defined otherwise in line 5, for the same processor; "
        .. "PAPI takes this one", "formula" },
    { "papi", "PRESET,PAPI_DP_OPS", "PRESET,PAPI_DB_OPS", ":6:",
        "PAPI_DB_OPS: papiStdEventDefs.h of tiny has no such preset", "unknown-preset" },
    { "papi", "BR_ALL,", "PAPI_BR_ALL,", ":7:", "PAPI_BR_ALL on N0: papiStdEventDefs.h of tiny has no such event", "unknown-event" },
    { "perf", "64 / 1000000", "64 / 1000000000", ":3:", "scaled by 1e-9; its value is x0.001", "unit-scale" },
    { "perf", " / duration_time", "", ":3:", "is not divided by time", "unit-scale" },
    { "perf", "* #SYSTEM_TSC_FREQ ", "", ":5:", "is not divided by time", "unit-scale" },
    { "perf", "UNC_M_CAS.RD + unc", "UNC_M_CAS.RD + UNC_M_CAS.RD + unc", ":4:", "adds UNC_M_CAS.RD twice", "term-twice" },
    { "perf", "UNC_M_CAS.WR", "UNC_M_CAS.WT", ":4:",
        "UNC_M_CAS.WT on uncore_imc@UNC_M_CAS.WT\\,edge\\=1@: the event lists", "unknown-event" },
    { "perf", "tma_bound -", "tma_bond -", ":7:", "tma_bond: the event lists of metrics has no such event", "unknown-event" },
    { "perf", '"volume"', '"clock"', ":5:", "metric 'clock' is there twice", "formula" },
    { "intel", "(a + b) * 64", "(a + d) * 64", ":4:", "uses d, which the metric does not program; the metric has no value",
        "undefined-counter" },
    { "intel", "(a + b) * 64", "a * 64", ":3:", "UNC_M_CAS.WR on b of memory_bandwidth_total is programmed and in no metric",
        "unused-event" },
    { "intel", "UNC_M_CAS.RD", "UNC_M_CAS.RT", ":4:", "UNC_M_CAS.RT: the event lists", "unknown-event" },
    { "intel", '"ParentCategory": "parent", ', "", ":10:", "'parent' has the formula of 'child'", "same-formula" },
    { "intel", "/ 1000000000", "/ 1000000", ":8:", ("scaled by 1e-6; its value is x%.3g"):format(1e9 / 1e6), "unit-scale" },
    { "collector", "MBOX0C0+MBOX1C0", "MBOX0C0+MBOX0C1", ":7:", "uses MBOX0C1, which the event set does not program; the collector leaves",
        "undefined-counter" },
    { "collector", '"PMC0/time"', '"PMC1/time"', ":3:", "INSTR on PMC0 is programmed and in no metric", "unused-event" },
    { "collector", '"PMC0": "INSTR"', '"PMC1": "INSTR", "PMC0": "INSTR"', ":3:", "counter PMC1 is used twice", "counter-twice" },
    { "collector", "PMC1*4.0", "PMC1*8.0", ":5:",
        ("as 8 operations, its vectors have 4; these FLOPs are x%g"):format(8 / 4), "flop-weight" },
    { "collector", "0.000001*(MBOX", "0.001*(MBOX", ":7:", ("scaled by 1e-3; its value is x%.3g"):format(1e6 / 1e3), "unit-scale" },
    { "collector", '"socket", "publish": true },\n', '"hwthread", "publish": true },\n', ":7:",
        "is of type hwthread, MBOX0C0 counts for the socket; all hwthreads but one", "metric-type" },
    { "collector", '"W", "type": "hwthread"', '"W", "type": "socket"', ":8:",
        "it is the value of one hwthread of the socket", "metric-type" },
    { "collector", "mem*2", "memory*2", ":10:", "uses memory, which is a metric of no event set; the collector", "undefined-counter" },
    { "collector", "PMC0/time", "PMC0:EDGEDETECT/time", ":6:",
        "options of a counter cannot stand in calc; the collector leaves", "formula" },
    { "collector", '"PMC0/time",', '"PMC0/time"', ":6:", "this is no JSON: ',' or '}' is expected; nothing of it is read", "formula" },
}

describe("lint of other tools' files", function()
    for kind in pairs(FILES) do
        it("finds nothing in a right file: " .. kind, function()
            assert.equal("", text_of(kind))
        end)
    end

    for _, case in ipairs(CASES) do
        local kind, old, new, line, words, rule = table.unpack(case)
        it(("%s: %s sees: %s"):format(kind, rule, words), function()
            local text = text_of(kind, old, new)
            local found
            for one in text:gmatch "[^\n]+" do
                found = found or lists.all({ FILES[kind][1] .. line, words, "[" .. rule .. "]" }, function(part)
                    return one:find(part, 1, true)
                end)
            end
            assert.is_truthy(found, text)
        end)
    end

    it("has a case for each rule about these files only", function()
        local seen = lists.set(CASES, function(case) return case[6] end)
        for _, rule in ipairs(rules) do
            assert.is_true(rule.class ~= "S23" or seen[rule.name], rule.name)
        end
    end)

    it("compares no names without the lists that have them", function()
        FILES.alone = { "alone.json", PERF }
        assert.equal("", text_of("alone", "UNC_M_CAS.WR", "UNC_M_CAS.WT"))
        FILES.alone = { "alone.csv", PRESETS }
        assert.equal("", text_of("alone", "PRESET,PAPI_DP_OPS", "PRESET,PAPI_DB_OPS"))
    end)

    it("takes other JSON for nothing", function()
        FILES.alone = { "alone.json", EVENTS }
        assert.equal("", text_of "alone")
    end)
end)
