-- plots_spec.lua - which metrics are plotted, the script for gnuplot, and the cleaned output of gnuplot.
-- SPDX-License-Identifier: GPL-3.0-or-later
local choice = require "report.wiki.plots_choice"
local plots = require "report.wiki.plots"
local records = require "records"

describe("plots", function()
    local function list(metrics)
        return choice.list({ metrics = metrics }, metrics[1].pattern, "prefix", "Title")
    end

    local function volume(more)
        more.kind, more.metric = "volume", more.metric or "iMC volume"
        return records.metric(more)
    end

    it("one plot for streams: total volume per code, a series per level, placement and group", function()
        local found = list {
            volume { code = "load", direction = "load" },
            volume { code = "load" },
            volume { code = "copy" },
            volume { code = "copy", level = "L2", placement = "S0:1", metric = "L1-L2 volume" },
            records.metric { code = "copy" }, -- the same error again, over the same time
        }
        assert.equal(1, #found)
        assert.equal("prefix", found[1].name)
        assert.same({ "load", "copy" }, found[1].categories)
        assert.equal("MEM: iMC volume, S0:2", found[1].series[1].label)
        assert.equal(2, #found[1].series[1].points)
        assert.same({ { at = 2, avg = 0.05, min = -0.1, max = 0.2 } }, found[1].series[2].points)
    end)

    it("codes keep the record's order, even if the first one has no error in a level", function()
        local none = volume { code = "store_nt", level = "L2" }
        none.error_pct = nil
        local found = list { none, volume { code = "copy", level = "L2" }, volume { code = "store_nt" } }
        assert.same({ "store_nt", "copy" }, found[1].categories)
    end)

    it("bandwidths are plotted if there are no volumes", function()
        local found = list { records.metric() }
        assert.equal("MEM: iMC bandwidth, S0:2", found[1].series[1].label)
    end)

    it("one plot per group of counts, none for metrics without errors", function()
        local function count(group, code, errors)
            local metric = records.metric { pattern = "avx", group = group, code = code, kind = "count", metric = "ops" }
            metric.level, metric.direction, metric.error_pct = nil, nil, errors
            return metric
        end
        local error_pct = { min = 0, avg = 50, max = 50 }
        local found = list { count("A", "half", error_pct), count("B", "half", error_pct), count("A", "scalar") }
        assert.equal(2, #found)
        assert.equal("prefix-A", found[1].name)
        assert.same({ "half" }, found[1].categories)
    end)

    it("plots with more series than colours are split by level, then by placement", function()
        local metrics = {}
        for i = 1, plots.MOST_SERIES + 1 do
            metrics[i] = volume { level = "L" .. i % 2, placement = "S0:" .. i }
        end
        local found = list(metrics)
        assert.equal(2, #found)
        assert.equal("prefix-L1", found[1].name)

        for i = 1, plots.MOST_SERIES + 1 do
            metrics[i] = volume { level = "MEM", placement = "S0:" .. i % 2, group = "G" .. i, metric = "volume " .. i }
        end
        found = list(metrics)
        assert.equal(2, #found)
        assert.equal(plots.MOST_SERIES + 1, #found[1].series + #found[2].series)
    end)

    local function script(errors)
        return plots.script({
            title = 'a "b" `c` \\ d',
            categories = { "copy_nt" },
            series = { { label = "L2", points = { { at = 1, avg = errors[2], min = errors[1], max = errors[3] } } } },
        }).text
    end

    it("the range contains all errors and 0", function()
        for _, errors in ipairs { { 1, 2, 3 }, { -3, -2, -1 }, { -1, 0, 1 }, { 0, 0, 0 } } do
            local low, high = script(errors):match "set yrange %[([^:]+):([^%]]+)%]"
            assert.is_true(tonumber(low) < math.min(0, errors[1]))
            assert.is_true(tonumber(high) > math.max(0, errors[3]))
        end
    end)

    it("the page is wide enough for the title, the longest label and all boxes", function()
        local function width(title, label, codes)
            local categories, points = {}, {}
            for i = 1, codes do
                categories[i], points[i] = "code" .. i, { at = i, avg = 1, min = 0, max = 2 }
            end
            local text = plots.script({ title = title, categories = categories, series = { { label = label, points = points } } }).text
            return tonumber(text:match "svg size (%d+),")
        end
        local least = width("short", "short", 1)
        assert.is_true(width(("w"):rep(200), "short", 1) > 200 * 8)
        assert.is_true(width("short", ("w"):rep(200), 1) > 200 * 8)
        assert.is_true(width("short", "short", 100) > 100 * 13)
        assert.equal(least, width("short", "short", 2))
    end)

    it("quotes characters that gnuplot would interpret", function()
        assert.is_truthy(script({ 0, 0, 0 }):find([["a \"b\" 'c' \\ d"]], 1, true))
    end)

    local SVG = [[
<?xml version="1.0"?>
<svg
 viewBox="0 0 1 1">
<title>Gnuplot</title>
<desc>Produced by GNUPLOT 9.9 patchlevel 9 </desc>
<rect fill="#ffffff"/>
<g fill="none">
</g>
<path stroke='rgb( 31,  35,  40)' d='M0,0'/>
</svg>
]]

    it("keeps nothing of gnuplot's version and follows the reader's colour scheme", function()
        local text = plots.finish({ svg = SVG, title = "a < b", about = "x" }).text
        assert.equal(require("report.wiki.marker").LINE, text:match "^[^\n]+")
        assert.is_nil(text:find "GNUPLOT")
        assert.is_nil(text:find "<%?xml")
        assert.is_nil(text:find('<g fill="none">', 1, true))
        assert.is_truthy(text:find("stroke='#1f2328'", 1, true))
        assert.is_truthy(text:find('[stroke="#1f2328"]{stroke:#e6edf3}', 1, true))
        assert.is_truthy(text:find('<title id="title">a &lt; b</title>', 1, true))
    end)

    it("output that is not SVG is reported in one line", function()
        assert.has_error(function()
            plots.finish { svg = "", title = "t" }
        end, "t: gnuplot printed no SVG; install gnuplot with its svg terminal (Debian: gnuplot-nox)")
    end)
end)
