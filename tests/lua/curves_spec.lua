-- curves_spec.lua - events along curves: where they are right, wrong or unknown, where they step, and how they are drawn.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local concepts = require "input.concepts"
local curves = require "events.judge.curves"
local draw = require "report.page.curve"
local page = require "report.page.curves"
local probe = require "input.probe"
local words = require "report.text.curves"

local WORDS = "instructions: all of them\nnothing: what never happens\nlines: those that come\nothers: other ones\n"
local known = concepts.read { text = WORDS, file = "words.txt" }

local SIZE, UNKNOWN_TO = 4096, 8192 -- of a cache that has none of a walk over more, and from where that is certain
local PLACES = { 1024, 2048, 4096, 4608, 8192, 16384 }
local TIMES = { 1000, 2000, 3000 }

-- A curve over PLACES whose walks have a visit of each 64 bytes, each of them a line where the cache has not room for all; of an event
-- that counts change(lines, place) of the lines of a time.
local function measured(change, more)
    more = more or {}
    local plan = { rows = {}, jobs = { { id = "probes", runs = { { name = "RUN", counters = { E1 = { PMC0 = "PMC2" } } } } } },
        events = { { event = "EVENT", options = "", counters = { "PMC0" }, name = "E1" } },
        curves = { { name = "walks of lines", title = "Walks", axis = "walked through", is_bytes = true, per = "visit",
            executions = more.executions, why_fewer = more.executions and "because",
            marks = { { x = SIZE, text = "L1" } }, shown = more.shown or { "lines" }, first = 1, last = #PLACES } } }
    local regions = {}
    for number, place in ipairs(PLACES) do
        local visits = place // 64
        local lines = place > SIZE and visits or 0
        local row = { x = place, amount = visits, regions = {}, naive = { lines = visits / 2 } }
        for i, times in ipairs(more.times or TIMES) do
            local region = ("p%d.%d"):format(number, i)
            local made, all = lines * times, 8 * visits * times
            row.regions[i] = { region = region, times = times, counts = { instructions = { min = all, value = all, max = all },
                lines = (place <= SIZE or place >= UNKNOWN_TO) and { min = made, value = made, max = made } } }
            regions[region] = { { counts = { PMC2 = change(lines, place) * times + (more.noise or { 0, 0, 0 })[i] } } }
        end
        plan.rows[number] = row
    end
    local results, reps = {}, more.reps or 1
    for rep = 1, reps do
        results["probes/RUN/" .. rep] = { regions = regions }
    end
    local said = concepts.events { text = more.said or "EVENT = lines", file = "pmu.concepts", concepts = known }
    return curves.find { plan = plan, reps = reps, results = results, said = said, named = more.named }
end

local function right(lines)
    return lines
end

describe("a curve", function()
    it("is right at points with a known count, and steps at the cache's size", function()
        local line = measured(right)[1].lines[1]
        assert.same({ 5, 0, 6 }, { line.known, line.missed, #line.points })
        assert.near(0, line.error_pct, 1e-9)
        assert.same({ { from = 4096, to = 4608 } }, { table.unpack(line.steps) })
        assert.is_nil(line.points[4].known)
        assert.same({ 8192, 1, 1, 0.5 }, { line.points[5].x, line.points[5].measured, line.points[5].known.value, line.points[5].naive })
    end)

    -- five executions of the same, with 64000, 0, 16000, 0 and 32000 lines of noise: the least has none, the median 16000
    it("has the least and the median of executions", function()
        local more = { times = { 1000, 1000, 1000, 1000, 1000 }, noise = { 64000, 0, 16000, 0, 32000 } }
        local line = measured(right, more)[1].lines[1]
        assert.same({ 5, 0 }, { line.known, line.missed })
        assert.same({ 8192, 1, 1 + 16000 / 1000 / 128, 1 }, { line.points[5].x, line.points[5].measured, line.points[5].median,
            line.points[5].known.value })
        assert.truthy(draw.svg({ curve = measured(right, more)[1], lines = { line } }):find('class="median c1"', 1, true))
        assert.is_nil(measured(right)[1].lines[1].points[5].median)
        assert.is_nil(draw.svg({ curve = measured(right)[1], lines = { measured(right)[1].lines[1] } }):find('class="median', 1, true))
    end)

    it("is wrong at points where the count is off by more than about 1 %", function()
        local line = measured(function(lines) return 1.013 * lines end)[1].lines[1]
        assert.same({ 5, 2 }, { line.known, line.missed })
        assert.near(1.3, line.error_pct, 1e-6)
        for _, worse in ipairs { 8192, 16384 } do
            line = measured(function(lines, place) return (place == worse and 1.05 or 0.98) * lines end)[1].lines[1]
            assert.near(5, line.error_pct, 1e-6)
        end
        assert.equal(0, measured(function(lines) return 1.009 * lines end)[1].lines[1].missed)
        line = measured(function(lines, place) return place == 1024 and 0.02 * place // 64 + 1 or lines end)[1].lines[1]
        assert.equal(1, line.missed) -- where nothing is expected
    end)

    it("has no step where counts do not change", function()
        assert.same({}, { table.unpack(measured(function(_, place) return place // 64 end)[1].lines[1].steps) })
        assert.same({}, { table.unpack(measured(function() return 0 end)[1].lines[1].steps) })
        assert.same({}, { table.unpack(measured(function(_, place) return place == 2048 and 0.1 or 0 end)[1].lines[1].steps) })
    end)

    it("is drawn for events documented to count its quantity, and for named events without documentation", function()
        assert.equal(0, #measured(right, { shown = { "others" } }))
        assert.equal(0, #measured(right, { said = "OTHER = lines" }))
        local line = measured(right, { said = "OTHER = lines", named = true })[1].lines[1]
        assert.same({ 0, 1 }, { line.known, #line.steps })
        assert.equal("nothing is known of it", words.judgement(line))
    end)
end)

describe("a curve's text", function()
    it("is a table with sizes", function()
        local text = words.render({ curves = measured(function(lines) return 1.5 * lines end) }).text
        assert.truthy(text:find("Walks, for each visit; L1 4 KiB\n", 1, true))
        assert.truthy(text:find("EVENT +known in 5 of 6 points, wrong in 2 +%+50.00 +4 KiB .. 4.5 KiB\n"), text)
        assert.equal("3 MiB", words.place({ is_bytes = true }, 3 << 20))
        assert.equal("12", words.place({}, 12))
    end)
end)

describe("the executions of a curve", function()
    it("are those of all repetitions, with the reason if there are few", function()
        local curve = measured(right, { executions = 5, reps = 4 })[1]
        assert.equal("least of 20 executions (because)", words.executions(curve))
        local text = words.render({ curves = { curve } }).text
        assert.truthy(text:find("Walks, for each visit; least of 20 executions (because); L1 4 KiB\n", 1, true))
        local record = { curves = { curve }, faults = {}, node = { kind = "virtual", name = "x" } }
        assert.truthy(page.page({ record = record, file = "f", style = "" }).text:find("<p>least of 20 executions (because)</p>", 1, true))
        assert.equal("", words.executions(measured(right)[1]))
    end)
end)

describe("a curve's drawing", function()
    local found = measured(right)
    local svg = draw.svg { curve = found[1], lines = found[1].lines, about = "virtual node x" }

    it("has a dot for each point, a band for each range with a known count, the marks, and the node's name", function()
        local function count(what) return select(2, svg:gsub(what, "")) end
        assert.same({ 6, 2, 1, 1 }, { count "<circle", count "<polygon", count '<line class="mark"', count '<polyline class="naive' })
        assert.truthy(svg:find(">virtual node x<", 1, true) and svg:find(">EVENT: lines<", 1, true) and svg:find(">L1<", 1, true))
    end)

    it("has larger counts further up, and larger sizes further to the right", function()
        local dots = {}
        for x, y in svg:gmatch '<circle class="c1" cx="([%d.]+)" cy="([%d.]+)"' do
            dots[#dots + 1] = { x = tonumber(x), y = tonumber(y) }
        end
        for i = 2, #dots do
            assert.is_true(dots[i].x > dots[i - 1].x)
        end
        assert.equal(dots[1].y, dots[3].y)
        assert.is_true(dots[4].y < dots[3].y - 100)
        assert.near(dots[2].x - dots[1].x, dots[3].x - dots[2].x, 0.11) -- doublings are equally wide
    end)

    it("can be a separate file, or part of a page that loads no other resource", function()
        local record = { node = { kind = "virtual", name = "x" }, curves = found }
        local files = page.files { record = record }
        assert.same({ 1, "walks-of-lines-1.svg" }, { #files, files[1].name })
        local text = page.page({ record = record, file = "c.json", style = "" }).text
        assert.truthy(text:find("<svg", 1, true) and text:find("no evidence about silicon", 1, true))
        assert.is_nil(text:find "https?://[^w]")
    end)
end)

describe("a probe's curve", function()
    local TEXT = [[
return probe { name = "p", title = "P", about = "a", codes = { code { name = "c", runs = "c" } }, parameters = { "n", "m" },
    points = { point { code = "c", n = 1, m = 1, times = { 1, 2, 3 } } },
    curves = { curve { name = "k", title = "K", code = "c", by = "n", m = 1, values = function() return { 1 } end, times = { 1, 2, 3 },
        axis = "n", x = function() return 1 end, per = "time", amount = function() return 1 end, shown = { "lines" } } },
    counts = function() return {} end }
]]

    it("is refused with file and line", function()
        local function refused(from, to, what)
            local text, count = TEXT:gsub(from, to)
            assert.is_true(count > 0)
            local ok, message = pcall(probe.read, { text = text, file = "p.lua" })
            assert.is_false(ok)
            assert.truthy(message:find(what, 1, true), message)
        end
        assert.equal("k", probe.read({ text = TEXT, file = "p.lua" }).curves[1].name)
        refused('by = "n"', 'by = "x"', "p.lua:3: curve.by must be one of the probe's parameters, not 'x'")
        refused('by = "n", m = 1', 'by = "n"', "p.lua:3: curve.m must be a whole number from 1 on")
        refused('code = "c", by', 'code = "d", by', "p.lua:3: curve.code must be one of the probe's codes, not 'd'")
        refused("times = { 1, 2, 3 },\n", "times = { 1, 2 },\n", "p.lua:3: curve.times has 2 numbers")
    end)
end)
