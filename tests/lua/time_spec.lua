-- time_spec.lua - tables say whose time a bandwidth of the virtual node follows. SPDX-License-Identifier: GPL-3.0-or-later
local report = require "report.text.report"

local NOTE = "the virtual node's own time"

local function lines_with_note(kind, metrics, all)
    local record = { node = { kind = kind, name = "n", arch = "a", cpu = "c" }, started = "now", metrics = metrics }
    local _, count = report.render({ record = record, all = all }).text:gsub(NOTE, "")
    return count
end

local function metric(name, unit, kind)
    return { pattern = "p", code = "c", placement = "S0:1", metric = name, unit = unit, kind = kind, verdict = "validated" }
end

describe("the table's note on time", function()
    local volume, bandwidth, cpi = metric("V", "GBytes", "volume"), metric("B", "MBytes/s", "bandwidth"), metric("CPI", nil, "ratio")

    it("is there once where bandwidths are shown", function()
        assert.equal(1, lines_with_note("virtual", { volume, bandwidth, bandwidth }, true))
    end)

    it("is there where CPI is shown", function()
        assert.equal(1, lines_with_note("virtual", { volume, cpi }, false))
    end)

    it("is not there where no such metric is shown", function()
        assert.equal(0, lines_with_note("virtual", { volume, bandwidth }, false))
        assert.equal(0, lines_with_note("virtual", { volume }, true))
    end)

    it("is not there for a native node", function()
        assert.equal(0, lines_with_note("native", { volume, bandwidth, cpi }, true))
    end)
end)
