-- analysis_trees_spec.lua - the trees of an analysis, its page and its cube, against values by hand (analyses.lua).
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local analyses = require "analyses"
local cube = require "program.report.cube"
local formula = require "input.formula"
local lists = require "input.lists"
local page = require "program.report.analysis_page"
local trees = require "program.report.trees"

local REGIONS, LEAVES = { 0, 1 }, { 0, 1, 2, 3 }

local function names(nodes)
    local list = {}
    for i, index in ipairs(trees.order(nodes)) do
        list[i] = ("%d %s"):format(trees.depth(nodes, index), nodes[index + 1].name)
    end
    return list
end

describe("the trees", function()
    it("are regions, and processes of a machine with their threads", function()
        local found = trees.of(analyses.hybrid())
        assert.same({ "0 all regions", "1 init", "1 solve" }, names(found.regions))
        assert.same({ "0 n1", "1 process 0", "2 thread 0, core 0", "2 thread 1, core 1", "1 process 1", "2 thread 0, core 2",
            "2 thread 1, core 3" }, names(found.system))
        assert.same({ 0, 1 }, { table.unpack(found.regions[1].of) })
        assert.same({ 2, 3 }, { table.unpack(found.system[5].of) })
    end)

    it("have a node around several machines, none around a single region", function()
        local found = trees.of(analyses.machines())
        assert.same({ "0 whole program" }, names(found.regions))
        assert.same({ "0 all machines", "1 n1", "2 process 0", "3 thread 0, core 0", "3 thread 1, core 1", "1 n2", "2 process 1",
            "3 thread 0, core 2", "3 thread 1, core 3" }, names(found.system))
    end)

    it("distinguish processes with the same number on two machines", function()
        local record = analyses.machines()
        for _, leaf in ipairs(record.system) do
            leaf.process = 0
        end
        local found = trees.of(record)
        assert.same({ "2 process 0", "2 process 0" }, { names(found.system)[3], names(found.system)[7] })
        assert.same({ 2, 3 }, { table.unpack(found.system[7].of) })
    end)

    it("list children after their parents, whatever their order in the record", function()
        assert.same({ "0 DATA_ACCESSES", "1 DATA_IN_L1", "2 LOADS", "2 STORES", "1 DATA_IN_MEMORY", "2 IN_FAR_MEMORY", "0 CYCLES",
            "1 STALLED", "0 SHARE" },
            { table.unpack(names(trees.of(analyses.hybrid()).metrics), 1, 9) })
    end)
end)

it("shows a metric if it or one of its parts has a value somewhere", function()
    local record = analyses.hybrid()
    for i = #record.values, 1, -1 do
        local metric = record.values[i].metric
        if metric == 0 or metric == 1 or metric == 4 or metric == 8 then
            table.remove(record.values, i)
        end
    end
    local shown = lists.map(trees.of(record).metrics, "is_shown")
    assert.same({ true, true, true, true, false, true, true, false, false, true }, shown)
end)

describe("a total", function()
    local found = trees.of(analyses.hybrid())

    it("adds up regions and threads", function()
        assert.same({ value = 1100, partial = false, count = 8 }, trees.total(found, 3, REGIONS, LEAVES))
        assert.same({ value = 660, partial = false, count = 4 }, trees.total(found, 3, REGIONS, { 1, 3 }))
        assert.same({ value = 100, partial = false, count = 4 }, trees.total(found, 3, { 0 }, LEAVES))
    end)

    it("is partial if one of its values is, and says how many values there are", function()
        assert.same({ value = 1420, partial = true, count = 8 }, trees.total(found, 0, REGIONS, LEAVES))
        assert.is_false(trees.total(found, 0, REGIONS, { 0, 2, 3 }).partial)
        assert.equal(7, trees.total(found, 2, REGIONS, LEAVES).count)
    end)

    it("does not exist for ratios, or where nothing has a value", function()
        assert.is_nil(trees.total(found, 2, { 1 }, { 1 }))
        assert.is_nil(trees.total(found, 8, REGIONS, LEAVES))
        assert.equal(0.25, trees.total(found, 8, { 1 }, { 3 }).value)
    end)
end)

it("a formula is linear if its value for a sum is the sum of its values", function()
    for text, is_linear in pairs { ["A - 2 * B"] = true, ["(A + B) / 4 - -C"] = true, ["A / B"] = false, ["A + 1"] = false, ["3"] = false,
        ["A * B / C"] = false, ["1 / A"] = false, ["A * (2 - 1)"] = true } do
        assert.equal(is_linear, formula.is_linear(formula.parse(text)), text)
    end
end)

describe("the page without its script", function()
    local text = page.page { record = analyses.hybrid(), file = "a b.json", style = "", program = "" }.text

    local function row(name, caption)
        local from = text:find("<caption>" .. caption, 1, true)
        return text:match('<tr><th scope="row" class="d%d">' .. name .. "</th>(.-)</tr>", from):gsub("<[^>]*>", " "):gsub("%s+", " ")
    end

    it("has totals, percents of the root, and threads", function()
        assert.equal(" accesses ~1420 100 176 ~242 418 584 ", (row("DATA_ACCESSES", "All regions")))
        assert.equal(" accesses 100 83.3 10 20 30 40 ", (row("LOADS", "init")))
        assert.equal(" accesses 200 15.4 50 - 50 100 ", (row("DATA_IN_MEMORY", "solve")))
        assert.equal(" - - 0.25 0.25 0.25 0.25 ", (row("SHARE", "solve")))
    end)

    it("shows the command, warnings and formulas", function()
        for _, part in ipairs {
            "No evidence",
            "Program <code>'./it'\\''s' 2</code>, 2 runs",
            "STALLED_EVENT &lt;was&gt; not counted",
            "INSTR_RETIRED_ANY of solve, thread 1, varies",
            "<code>ALL_EVENT - LOADS_EVENT</code>",
            "assay analyse --node virtual:haswellEP-1x4 --out new.json -- './it'\\''s' 2",
            "assay report 'a b.json' --cube analysis.cubex",
        } do
            assert.is_truthy(text:lower():find(part:lower(), 1, true), part)
        end
        assert.is_nil(text:find("<img", 1, true))
        assert.is_nil(text:find('class="d2">IN_FAR_MEMORY', 1, true))
    end)
end)

describe("a cube", function()
    local function rows_of(made, id)
        for _, metric in ipairs(made.metrics) do
            if metric.id == id then
                return metric.rows
            end
        end
        return nil
    end

    it("has a row of each region with values, and a value of each thread", function()
        local rows = rows_of(cube.export { record = analyses.hybrid(), file = "x.json" }, 2)
        assert.equal(2, #rows)
        assert.same({ 50, 0, 50, 100 }, { table.unpack(rows[2].values) })
        assert.equal(1, rows[2].cnode)
    end)

    it("leaves out ratios, and metrics and regions without values", function()
        local record = analyses.hybrid()
        for i = #record.values, 1, -1 do
            local one = record.values[i]
            if one.metric == 1 or (one.metric == 6 and one.region == 0) then
                table.remove(record.values, i)
            end
        end
        local made = cube.export { record = record, file = "x.json" }
        assert.is_nil(rows_of(made, 8))
        assert.is_nil(rows_of(made, 1))
        assert.equal(1, #rows_of(made, 6))
        -- its children are now children of its parent
        assert.is_truthy(made.anchor:find("</descr>\n<metric id=\"3\"", made.anchor:find("<metric id=\"0\"", 1, true), true))
        assert.is_truthy(made.anchor:find('value="SHARE"', 1, true))
    end)

    it("marks what is partial, says virtual, and escapes texts", function()
        local record = analyses.hybrid()
        record.regions[1] = "a\u{FFFE}'\"&"
        local anchor = cube.export { record = record, file = "x.json" }.anchor
        for _, part in ipairs { "<disp_name>~DATA_ACCESSES</disp_name>", "<disp_name>LOADS</disp_name>", 'value="virtual haswellEP-1x4"',
            "no evidence about silicon", "<name>a?&apos;&quot;&amp;</name>", "&lt;/script&gt;" } do
            assert.is_truthy(anchor:find(part, 1, true), part)
        end
        record.node.kind = "native"
        assert.is_nil(cube.export({ record = record, file = "x.json" }).anchor:find("silicon", 1, true))
    end)

    it("is refused for an empty record", function()
        local record = analyses.hybrid()
        record.values = {}
        assert.has_error(function() cube.export { record = record, file = "x.json" } end,
            "x.json: nothing in it has a value that adds up; there is no cube of it")
    end)
end)
