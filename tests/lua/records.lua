-- records.lua - small records for tests of code that needs only records.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"

local records = {}

-- A metric's entry; `more` replaces keys.
function records.metric(more)
    local metric = {
        pattern = "bandwidth_saturation",
        code = "triad",
        level = "MEM",
        placement = "S0:2",
        group = "ASSAY_MEM",
        metric = "iMC bandwidth",
        unit = "MBytes/s",
        boundary = "L3-MEM",
        direction = "total",
        kind = "bandwidth",
        n = 2,
        expected = { min = 1000, max = 2000, mean = 1500 },
        measured = { min = 1001, max = 2002, mean = 1501.5 },
        error_pct = { min = -0.1, avg = 0.05, max = 0.2, median = 0.05, sd = 0.1 },
        tolerance_pct = 2,
        class = "exact",
        verdict = "validated",
        errata = {},
    }
    return lists.merge(metric, more)
end

-- A record of a virtual node with these metrics; `more` replaces keys, `node` those of the node.
function records.record(metrics, more, node)
    local record = {
        schema = 1,
        assay = "0.1.0",
        started = "2026-01-02T03:04:05Z",
        seconds = 1,
        node = { kind = "virtual", name = "haswellEP-1x2", arch = "haswellEP", likwid = "5.2.2", sockets = 1, cores = 2, smt = 1 },
        faults = {},
        metrics = metrics,
        samples = {},
        failures = {},
    }
    lists.merge(record, more)
    lists.merge(record.node, node)
    return record
end

-- A sample of a count between two threads; `more` replaces keys. `expected` may be a number.
function records.sample(more)
    local sample = {
        pattern = "line_sharing",
        code = "shared",
        placement = "S0:2",
        point = "shared.S0.2.p1",
        rep = 1,
        thread = 0,
        group = "G",
    }
    lists.merge(sample, more)
    if type(sample.expected) == "number" then
        sample.expected = { min = sample.expected, value = sample.expected, max = sample.expected }
    end
    return sample
end

return records
