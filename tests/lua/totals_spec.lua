-- totals_spec.lua - the rows of short tables and plots if a group lacks the total.
-- SPDX-License-Identifier: GPL-3.0-or-later
local choice = require "report.wiki.plots_choice"
local html_plot = require "report.page.plot"
local lists = require "input.lists"
local records = require "records"
local report = require "report.text.report"
local totals = require "report.totals"

local function volume(direction, more)
    local metric = records.metric {
        level = "L2",
        boundary = "L1-L2",
        group = "ASSAY_L2",
        kind = "volume",
        unit = "GBytes",
        direction = direction,
        metric = "L1-L2 " .. direction .. " volume",
    }
    return lists.merge(metric, more)
end

local function record_of(metrics)
    return { node = { kind = "virtual", name = "a", arch = "b" }, metrics = metrics, samples = {} }
end

local function shown(metrics, all)
    return report.render({ record = record_of(metrics), all = all, width = 200 }).text
end

describe("halves of a total", function()
    local both = { volume "load", volume "evict", volume "total" }
    local one = { volume "load" }

    it("are hidden if their total is shown", function()
        local found = totals.of(both)
        assert.is_true(found.is_half(both[1]))
        assert.is_true(found.is_half(both[2]))
        assert.is_false(found.is_whole(both[1]))
        assert.is_true(found.is_whole(both[3]))
    end)

    it("are shown if the group has no total", function()
        local found = totals.of(one)
        assert.is_false(found.is_half(one[1]))
        assert.is_true(found.is_whole(one[1]))
    end)

    it("are not hidden by the total of another group, level, placement, boundary or kind", function()
        for key, value in pairs { group = "ASSAY_X", level = "L3", placement = "S0:9", boundary = "L2-L3", kind = "bandwidth" } do
            local load = volume "load"
            assert.is_false(totals.of({ load, volume("total", { [key] = value }) }).is_half(load), key)
        end
    end)

    it("are not hidden by a total that was skipped", function()
        local load, skipped = volume "load", volume "total"
        skipped.metric = nil
        assert.is_false(totals.of({ load, skipped }).is_half(load))
    end)

    it("do not include parts of the traffic", function()
        local part = volume "modified victims"
        local found = totals.of { part }
        assert.is_false(found.is_half(part))
        assert.is_false(found.is_whole(part))
    end)

    it("are in the table only if there is no total", function()
        assert.is_nil(shown(both):find("L1-L2 load volume", 1, true))
        assert.is_not_nil(shown(both):find("(shown: counts and total volumes)", 1, true))
        assert.is_not_nil(shown(both, true):find("L1-L2 load volume", 1, true))
        local text = shown(one)
        assert.is_not_nil(text:find("L1-L2 load volume", 1, true))
        assert.is_nil(text:find("no metric to show", 1, true))
        assert.is_not_nil(text:find("volumes of groups without a total", 1, true))
    end)

    it("are in the plots of page and wiki only if there is no total", function()
        local function of_page(metrics)
            local names = lists.collect(html_plot.panels(metrics), function(panel) return table.concat(panel.legend, ",") end)
            return table.concat(names, ";")
        end
        local function of_wiki(metrics)
            local names = {}
            for _, plot in ipairs(choice.list({ metrics = metrics }, "bandwidth_saturation", "p", "t")) do
                for _, series in ipairs(plot.series) do
                    names[#names + 1] = series.label
                end
            end
            return table.concat(names, ";")
        end
        assert.equal("L1-L2 total volume", of_page(both))
        assert.equal("L1-L2 load volume", of_page(one))
        assert.equal("L2: L1-L2 total volume, S0:2", of_wiki(both))
        assert.equal("L2: L1-L2 load volume, S0:2", of_wiki(one))
    end)
end)
