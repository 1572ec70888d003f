-- coverage_spec.lua - no metric of a group is forgotten: it is shown, judged with another group's, or named with the reason.
-- SPDX-License-Identifier: GPL-3.0-or-later
local coverage = require "input.coverage"
local fixture = require "fixture"
local group = require "input.group"
local lists = require "input.lists"
local summaries = require "report.summaries"

describe("coverage", function()
    local machine, groups

    before_each(function()
        machine, groups = fixture.machine(), fixture.groups()
    end)

    local function add(name, line)
        local text = fixture.text(("groups/haswellEP/%s.txt"):format(name)):gsub("METRICS\n", "METRICS\n" .. line .. "\n", 1)
        groups[name] = group.parse { text = text, file = name .. ".txt" }
    end

    local function message()
        local ok, text = pcall(coverage.check, { machine = machine, groups = groups })
        return not ok and text or nil
    end

    it("finds the suite's own groups complete", function()
        assert.is_nil(message())
    end)

    it("names a metric that has neither a verdict nor a reason", function()
        add("ASSAY_L2", "L2 surprise PMC0+PMC1")
        assert.equal("groups/haswellEP/machine.lua: no entry shows metric 'L2 surprise' of ASSAY_L2, and `unjudged` does not name it: "
            .. "do one or the other", message())
        machine.unjudged = { { groups = { "ASSAY_L2" }, metrics = { "L2 surprise" }, reason = "a surprise" } }
        assert.is_nil(message())
        local list = coverage.unjudged { machine = machine, groups = groups }
        local own = lists.collect(list, function(one) return not one.with and one end)
        assert.same({ { group = "ASSAY_L2", metric = "L2 surprise", reason = "a surprise" } }, own)
    end)

    it("counts a metric as judged with another group's metric only if formula and events are the same", function()
        for line, is_judged in pairs {
            ["CPI FIXC1/FIXC0"] = true,
            ["CPI FIXC0/FIXC1"] = false,
            ["CPI 2.0*FIXC1/FIXC0"] = false,
            ["CPI PMC1/FIXC0"] = false,
            ["CPI [s] FIXC1/FIXC0"] = false,
        } do
            local text = fixture.text "groups/haswellEP/ASSAY_L3.txt"
            local at, to = text:find("CPI FIXC1/FIXC0", 1, true)
            groups.ASSAY_L3 = group.parse { text = text:sub(1, at - 1) .. line .. text:sub(to + 1), file = "ASSAY_L3.txt" }
            assert.equal(is_judged, message() == nil, line)
        end
    end)

    it("recognises the same formula on other counters, and another event on the same counter", function()
        local text = fixture.text "groups/haswellEP/ASSAY_L3.txt"
        local moved = text:gsub("PMC0 L2_LINES_IN_ALL", "PMC0 AVX_INSTS_CALC"):gsub("METRICS\n", "METRICS\nAVX operations PMC0\n", 1)
        groups.ASSAY_L3 = group.parse { text = moved, file = "ASSAY_L3.txt" }
        assert.is_nil(message())
        local other = text:gsub("METRICS\n", "METRICS\nAVX operations PMC0\n", 1)
        groups.ASSAY_L3 = group.parse { text = other, file = "ASSAY_L3.txt" }
        assert.matches("no entry shows metric 'AVX operations' of ASSAY_L3", message())
    end)

    it("refuses a reason for a judged or an unknown metric", function()
        machine.unjudged = { { groups = { "ASSAY_L2" }, metrics = { "L1-L2 volume" }, reason = "r" } }
        assert.matches("metric 'L1%-L2 volume' of ASSAY_L2 is judged, and `unjudged` says that it is not$", message())
        machine.unjudged = { { groups = { "ASSAY_L2" }, metrics = { "CPI" }, reason = "r" } }
        assert.matches("metric 'CPI' of ASSAY_L2 is judged, and", message())
        machine.unjudged = { { groups = { "ASSAY_L2", "ASSAY_NONE" }, metrics = { "x" }, reason = "r" } }
        assert.matches("`unjudged` names metric 'x' of ASSAY_L2, which is not there$", message())
    end)

    it("shows in summaries the number of metrics with a weaker claim, and of metrics without a verdict", function()
        local metrics = {
            { verdict = "validated", kind = "volume" },
            { verdict = "validated", kind = "bandwidth" },
            { verdict = "validated", kind = "rate" },
            { verdict = "rejected", kind = "rate" },
        }
        assert.equal("; of the validated, 2 are rates, whose time is not judged", summaries.over_time(metrics))
        assert.equal("", summaries.over_time { metrics[1], metrics[4] })
        local with, without = { group = "A", metric = "a", with = "B", reason = "r" }, { group = "A", metric = "b", reason = "r" }
        local record = { unjudged = { with, without } }
        assert.matches("^1 metrics of the groups are not judged", summaries.unjudged(record))
        assert.is_nil(summaries.unjudged { unjudged = { record.unjudged[1] } })
        assert.is_nil(summaries.unjudged {})
    end)
end)
