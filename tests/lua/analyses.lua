-- analyses.lua - an analysis record made by hand: two processes of two threads, two regions, metrics of every kind.
-- SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"

local analyses = {}

local HOSTILE = "</script><img src=x onerror=alert(1)>"

local METRICS = {
    { name = "DATA_ACCESSES", kind = "composed", unit = "accesses", text = "DATA_IN_L1 + DATA_IN_MEMORY", about = "by who had the data" },
    { name = "DATA_IN_L1", parent = 0, kind = "composed", unit = "accesses", text = "LOADS + STORES" },
    { name = "DATA_IN_MEMORY", parent = 0, kind = "measured", unit = "accesses", text = "MEMORY_EVENT" },
    { name = "LOADS", parent = 1, kind = "measured", unit = "accesses", text = "LOADS_EVENT" },
    { name = "STORES", parent = 1, kind = "computed", unit = "accesses", text = "ALL_EVENT - LOADS_EVENT" },
    { name = "CYCLES", kind = "measured", unit = "cycles", text = "CYCLES_EVENT" },
    { name = "STALLED", parent = 5, kind = "measured", unit = "cycles", text = "STALLED_EVENT" },
    { name = "IN_FAR_MEMORY", parent = 2, kind = "measured", unit = "accesses", text = "FAR_EVENT" },
    { name = "SHARE", kind = "computed", unit = "", text = "LOADS_EVENT / ALL_EVENT" },
    { name = HOSTILE, kind = "measured", unit = "<b>", text = "A_EVENT", about = "a & b" },
}

-- By metric, region and leaf; false: no value. IN_FAR_MEMORY has none anywhere.
local VALUES = {
    [2] = { { 5, 0, 5, 0 }, { 50, false, 50, 100 } },
    [3] = { { 10, 20, 30, 40 }, { 100, 200, 300, 400 } },
    [4] = { { 1, 2, 3, 4 }, { 10, 20, 30, 40 } },
    [5] = { { 1000, 1000, 1000, 1000 }, { 4000, 4000, 4000, 4000.5 } },
    [6] = { { false, false, false, false }, { 1000, 1000, 1000, 1000 } },
    [8] = { { 0.5, 0.5, 0.5, 0.5 }, { 0.25, 0.25, 0.25, 0.25 } },
    [9] = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },
}

local function add(values, metric, region, leaf, value, partial)
    values[#values + 1] = { metric = metric, region = region, leaf = leaf, value = value, partial = partial }
end

-- Sums: DATA_IN_L1 = LOADS + STORES, DATA_ACCESSES = DATA_IN_L1 + DATA_IN_MEMORY; partial where DATA_IN_MEMORY has no value.
local function all_values()
    local values = array()
    for region = 0, 1 do
        for leaf = 0, 3 do
            local function of(metric) return VALUES[metric][region + 1][leaf + 1] end
            local in_memory = of(2)
            add(values, 0, region, leaf, of(3) + of(4) + (in_memory or 0), not in_memory)
            add(values, 1, region, leaf, of(3) + of(4), false)
            for metric = 2, 9 do
                if VALUES[metric] and of(metric) then
                    add(values, metric, region, leaf, of(metric), false)
                end
            end
        end
    end
    return values
end

function analyses.hybrid()
    local metrics, system = array(), array()
    for i, metric in ipairs(METRICS) do
        metrics[i] = { where = "own.txt:" .. i }
        for key, value in pairs(metric) do
            metrics[i][key] = value
        end
    end
    for leaf = 0, 3 do
        system[leaf + 1] = { process = leaf // 2, thread = leaf % 2, core = leaf, host = "n1" }
    end
    return {
        schema = 1, kind = "analysis", assay = "0.1.0", started = "2026-01-02T03:04:05Z", seconds = 1,
        node = { kind = "virtual", name = "haswellEP-1x4", arch = "haswellEP", cpu = "cpu", likwid = "5.2.2" },
        faults = array(), command = { "./it's", "2" }, hierarchy = { "own.txt" },
        system = system, regions = { "init", "solve" }, metrics = metrics, values = all_values(),
        runs = { { events = { "LOADS_EVENT", "ALL_EVENT" }, seconds = 1, rep = 1 }, { events = { "CYCLES_EVENT" }, seconds = 1, rep = 1 } },
        counts = array(), witness = array { { region = 1, leaf = 1, event = "INSTR_RETIRED_ANY", values = { 1, 2 }, steady = false } },
        messages = array { "STALLED_EVENT <was> not counted" }, failures = array(),
    }
end

-- Several machines, one region without a name, and nothing measured but CYCLES.
function analyses.machines()
    local record = analyses.hybrid()
    for leaf, one in ipairs(record.system) do
        one.host = leaf > 2 and "n2" or "n1"
    end
    record.regions = { "" }
    record.metrics = { { name = "CYCLES", kind = "measured", unit = "cycles", text = "CYCLES_EVENT", where = "own.txt:1" } }
    record.values, record.witness = array(), array()
    for leaf = 0, 3 do
        add(record.values, 0, 0, leaf, 2 ^ leaf, false)
    end
    return record
end

return analyses
