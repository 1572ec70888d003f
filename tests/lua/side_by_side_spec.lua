-- side_by_side_spec.lua - analyses side by side: common and missing values, and their page. Records by hand (analyses.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local analyses = require "analyses"
local side_by_side = require "program.report.side_by_side"
local page = require "program.report.compare_page"

local FILES = { "a.json", "<b>.json" }

-- The second has other places for the same metrics, one of its own and none of CYCLES, and twice as many loads.
local function both()
    local first, second = analyses.hybrid(), analyses.hybrid()
    second.node.name = "zen3-1x4"
    second.regions = { "solve", "other" }
    second.metrics = {
        { name = "OWN", kind = "measured", unit = "", text = "OWN_EVENT", where = "own.txt:9" },
        { name = "DATA_ACCESSES", kind = "composed", unit = "accesses", text = "DATA_IN_L1", where = "own.txt:1" },
        { name = "DATA_IN_L1", parent = 1, kind = "composed", unit = "accesses", text = "LOADS", where = "own.txt:2" },
        { name = "LOADS", parent = 2, kind = "measured", unit = "accesses", text = "LOADS_EVENT", where = "own.txt:3" },
        { name = "SHARE", kind = "computed", unit = "", text = "LOADS_EVENT / ALL_EVENT", where = "own.txt:4" },
    }
    second.values = {}
    for leaf = 0, 3 do
        for metric, value in pairs { [1] = 500, [2] = 500, [3] = 500, [4] = 0.5 } do
            table.insert(second.values, { metric = metric, region = 0, leaf = leaf, value = value, partial = metric == 1 })
        end
    end
    return { first, second }
end

local function row_of(rows, name)
    for _, row in ipairs(rows) do
        if row.name == name then
            return row
        end
    end
    return nil
end

describe("analyses side by side", function()
    it("have the common regions, and metrics by their place in the tree", function()
        local regions = side_by_side.of { records = both(), files = FILES }
        assert.equal(1, #regions)
        assert.equal("solve", regions[1].name)
        local row = row_of(regions[1].rows, "LOADS")
        assert.same({ value = 1000, partial = false, percent = 100 * 1000 / 1300 }, row.cells[1])
        assert.same({ value = 2000, partial = false, percent = 100 }, row.cells[2])
        assert.equal("DATA_IN_L1", regions[1].rows[row.parent].name)
        assert.equal(2, row.depth)
        assert.is_true(row_of(regions[1].rows, "DATA_ACCESSES").cells[2].partial)
        local records = both()
        records[3] = analyses.hybrid()
        regions = side_by_side.of { records = records, files = { "a.json", "b.json", "c.json" } }
        assert.same({ 1, 3 }, { #regions, #regions[1].rows[1].cells })
    end)

    it("distinguish metrics that an architecture lacks from metrics that were not counted, and leave out metrics without values", function()
        local rows = side_by_side.of({ records = both(), files = FILES })[1].rows
        assert.equal("none", row_of(rows, "CYCLES").cells[2])
        assert.is_nil(row_of(rows, "OWN"))
        assert.is_nil(row_of(rows, "IN_FAR_MEMORY"))
        assert.is_nil(row_of(rows, "SHARE"))
        local records = both()
        records[2].values[1].metric = 0
        assert.same({ "none", { value = records[2].values[1].value, partial = records[2].values[1].partial, percent = 100 } },
            row_of(side_by_side.of({ records = records, files = FILES })[1].rows, "OWN").cells)
        records[1].values = {}
        assert.equal("uncounted", row_of(side_by_side.of({ records = records, files = FILES })[1].rows, "LOADS").cells[1])
    end)

    it("refuse a mix of native and virtual nodes, and records without a common region", function()
        local records = both()
        records[2].node.kind = "native"
        assert.has_error(function() side_by_side.of { records = records, files = FILES } end,
            "a.json is of a virtual node, <b>.json of a native one, which never share a table")
        records = both()
        records[2].regions = { "else", "other" }
        assert.has_error(function() side_by_side.of { records = records, files = FILES } end,
            "a.json and <b>.json have no region in common")
    end)
end)

describe("their page", function()
    local text = page.page({ records = both(), files = FILES, style = "", program = "" }).text

    it("has two columns per record, with percents of the root", function()
        local row = text:match('d2">LOADS</th>(.-)</tr>'):gsub("<[^>]*>", " "):gsub("%s+", " ")
        assert.equal(" accesses 1000 76.9 2000 100 ", row)
        row = text:match('d0">CYCLES</th>(.-)</tr>'):gsub("<[^>]*>", " "):gsub("%s+", " ")
        assert.equal(" cycles 16 k 100 - ", row)
        assert.is_truthy(text:find("~2000", 1, true))
        local records = both()
        records[1].values = {}
        text = page.page({ records = records, files = FILES, style = "", program = "" }).text
        row = text:match('d2">LOADS</th>(.-)</tr>'):gsub("<[^>]*>", " "):gsub("%s+", " ")
        assert.equal(" accesses 2000 100 ", row)
    end)

    it("names the nodes, that they are virtual, and injected faults", function()
        for _, part in ipairs { "Comparison of haswellEP-1x4, zen3-1x4", "no evidence about silicon", "&lt;b&gt;.json",
            "assay compare a.json '&lt;b&gt;.json' --html compare.html" } do
            assert.is_truthy(text:find(part, 1, true), part)
        end
        assert.is_nil(text:find("<b>.json", 1, true))
        local records = both()
        records[2].faults = { "E scale 2" }
        assert.is_truthy(page.page({ records = records, files = FILES, style = "", program = "" }).text:find("1 injected faults", 1, true))
    end)
end)
