-- html_spec.lua - the parts of the report page that need no browser. SPDX-License-Identifier: GPL-3.0-or-later
local array = require "input.array"
local data = require "report.page.data"
local json = require "report.page.json"
local plot = require "report.page.plot"
local vocabulary = require "judge.vocabulary"

describe("JSON inside a page", function()
    it("cannot close its HTML element", function()
        assert.equal('"\\u003c/script\\u003e \\"\\\\\\n\\u0001"', json.encode '</script> "\\\n\1')
    end)

    it("preserves arrays and absent values, and sorts keys", function()
        assert.equal("[1,null,true]", json.encode(table.pack(1, nil, true)))
        assert.equal("[]", json.encode(array()))
        assert.equal('{"a":{},"b":0.5}', json.encode { b = 0.5, a = {} })
    end)
end)

local function metric(code, errors, more)
    local one = { pattern = "p", code = code, level = "L2", placement = "S0:1", group = "G", metric = "volume", kind = "volume",
        direction = "total", tolerance_pct = 1, error_pct = errors and { min = errors[1], avg = errors[2], max = errors[3] } }
    for key, value in pairs(more or {}) do
        one[key] = value
    end
    return one
end

-- y and height of the bars of a class, in their order.
local function bars(svg, class)
    local found = {}
    for y, height in svg:gmatch('<rect class="' .. class .. '" x="[^"]*" y="([^"]*)" width="[^"]*" height="([^"]*)"') do
        found[#found + 1] = { y = tonumber(y), height = tonumber(height) }
    end
    return found
end

describe("a plot", function()
    it("draws a bar from the smallest to the largest error to scale", function()
        local panels = plot.panels { metric("a", { 0, 1, 2 }), metric("b", { 0, 2, 4 }), metric("c") }
        assert.equal(1, #panels)
        local ranges = bars(panels[1].svg, "range")
        assert.equal(2, #ranges)
        assert.near(2 * ranges[1].height, ranges[2].height, 0.2)
        assert.near(ranges[1].y + ranges[1].height, ranges[2].y + ranges[2].height, 0.2) -- both stand on 0
        local averages = bars(panels[1].svg, "average")
        assert.near(ranges[2].y + ranges[2].height / 2, averages[2].y + 1.5, 0.2)
        assert.same({ series = 1, "a", "volume", "0", "+1", "+2" }, panels[1].rows[1])
    end)

    it("shows totals only, one panel per level and kind, placements as series", function()
        local panels = plot.panels { metric("a", { 0, 0, 0 }), metric("a", { 0, 0, 0 }, { placement = "S0:2" }),
            metric("a", { 0, 0, 0 }, { direction = "load" }), metric("a", { 0, 0, 0 }, { kind = "bandwidth" }) }
        assert.equal(2, #panels)
        assert.same({ "volume, S0:1", "volume, S0:2" }, panels[1].legend)
        assert.same({ "volume" }, panels[2].legend)
    end)

    it("never needs more colours than the page has", function()
        local metrics = {}
        for i = 1, 9 do
            metrics[i] = metric("a", { -1, 0, 1 }, { metric = "m" .. i })
        end
        local panels = plot.panels(metrics)
        assert.equal(2, #panels)
        assert.equal(7, #panels[1].legend)
        assert.equal(2, #panels[2].legend)
    end)

    it("escapes names", function()
        assert.is_nil(plot.panels({ metric("<b>", { 0, 0, 1 }) })[1].svg:find("<b>", 1, true))
    end)
end)

describe("the data of a page", function()
    it("gives each metric its samples, with their errors", function()
        local rows = data.rows {
            metrics = { metric("a", { 0, 0, 0 }, { verdict = "rejected" }), metric("b", nil, { verdict = "skipped" }) },
            samples = { { pattern = "p", code = "a", level = "L2", placement = "S0:1", group = "G", metric = "volume", point = "x", rep = 1,
                thread = 0, measured = 3, expected = { min = 1, value = 2, max = 2 } } },
        }
        assert.equal(vocabulary.VERDICT_RANK.rejected, rows[1].rank)
        assert.equal(50, rows[1].samples[1][8])
        assert.equal(0, #rows[2].samples)
    end)
end)

describe("a list", function()
    it("escapes its texts, and is left out if it has none", function()
        local html, lines = require "report.page.html", {}
        html.add_list(lines, {}, "<h3>none</h3>", "</section>")
        html.add_list(lines, { "a < b", "c" }, "<h3>two</h3>", "</section>")
        assert.equal("<h3>two</h3><ul><li>a &lt; b</li><li>c</li></ul></section>", table.concat(lines))
    end)
end)

describe("commands", function()
    local html_record = require "report.page.record"

    local function shown(record)
        local lines = {}
        html_record.add_commands(lines, record, "a b.json")
        return table.concat(lines, "\n")
    end

    it("are the record's own, as a shell reads them", function()
        local text = shown { command = { "assay", "validate", "--out", "it's.json" }, metrics = {}, samples = {} }
        assert.is_truthy(text:find("assay validate --out &#39;it&#39;\\&#39;&#39;s.json&#39;\n", 1, true) or
            text:find("assay validate --out 'it'\\''s.json'\n", 1, true))
        assert.is_truthy(text:find("b.json", 1, true))
    end)

    it("are reconstructed for a record that has none", function()
        local text = shown { metrics = { { pattern = "p" }, { pattern = "q" } }, samples = { { rep = 3 } },
            node = { kind = "virtual", name = "n" } }
        assert.is_truthy(text:find("assay validate p q --node virtual:n --reps 3 --out new.json\n", 1, true))
    end)
end)
