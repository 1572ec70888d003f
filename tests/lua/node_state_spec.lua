-- node_state_spec.lua - every comparison of records names the settings in which their nodes differ, in one line.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local algebra = require "program.judge.algebra"
local analyses = require "analyses"
local catalogue = require "exchange.catalogue.catalogue"
local compare = require "program.report.compare"
local compare_page = require "program.report.compare_page"
local csv = require "fleet.report.csv"
local diff = require "report.text.diff"
local fleet = require "fleet.judge"
local fleet_page = require "fleet.report.page"
local fleet_text = require "fleet.report.text"
local health = require "fleet.health"
local history = require "report.text.history"
local junit = require "fleet.report.junit"
local lists = require "input.lists"
local node_state = require "judge.node_state"
local openmetrics = require "fleet.report.openmetrics"
local page = require "report.page.page"
local records = require "records"
local report = require "report.text.report"
local signatures = require "exchange.signatures.signatures"
local synthetic = require "tests.lua.fleet_synthetic"
local tables = require "report.wiki.pages"

-- { setting, its value before, its value after, the printed difference }
local SETTINGS = {
    { "numa_per_socket", 1, 2, "NUMA domains of a socket 1 -> 2" },
    { "smt", 1, 2, "hardware threads a core 1 -> 2" },
    { "numa_balancing", false, true, "NUMA balancing off -> on" },
    { "prefetchers", "X on, Y on", "X off, Y on", "prefetchers X on, Y on -> X off, Y on" },
    { "governor", "performance", "powersave", "governor performance -> powersave" },
    { "turbo", true, false, "turbo on -> off" },
    { "access", "accessdaemon", "direct", "access mode accessdaemon -> direct" },
    { "likwid", "5.2.2", "5.4.1", "LIKWID 5.2.2 -> 5.4.1" },
    { "microcode", "0x46", "0x49", "microcode 0x46 -> 0x49" },
    { "interface", "likwid", "perf", "interface likwid -> perf" },
    { "noise", "quiet", "busy", "noise quiet -> busy" },
}

-- A metric that depends on no setting.
local function independent(verdict)
    local metric = records.metric { unit = "GBytes", placement = "S0:1", verdict = verdict }
    metric.level = nil
    return metric
end

local function entry(day, state, metrics)
    local record = records.record(metrics or { independent() }, { started = day .. "T00:00:00Z" }, state)
    return { file = ("results/haswellEP/%s/%s.json"):format(record.node.name, day), record = record }
end

-- Lines of a text in which `what` is.
local function lines_with(text, what)
    local found = {}
    for line in text:gmatch "[^\n]+" do
        found[#found + 1] = line:find(what, 1, true) and line:match "^%s*(.*)" or nil
    end
    return found
end

-- Like lines_with; exactly one is expected.
local function line_with(text, what)
    local found = lines_with(text, what)
    assert.equal(1, #found, text)
    return found[1]
end

describe("a comparison of the states of two nodes", function()
    for _, setting in ipairs(SETTINGS) do
        local key, before, after, text = table.unpack(setting)
        local old, new = entry("2026-01-01", { [key] = before }), entry("2026-02-01", { [key] = after })

        it("names the difference: " .. text, function()
            assert.equal("node state differs: " .. text, node_state.between(old.record.node, new.record.node))
            assert.is_nil(node_state.between(old.record.node, old.record.node))
        end)

        it("is shown by diff, history and health: " .. text, function()
            local shown = diff.render { old = old.record, new = new.record, old_file = "a", new_file = "b", width = 200 }.text
            assert.equal("node state differs: " .. text, line_with(shown, "node state"))
            shown = history.render({ records = { old, new } }).text
            assert.is_truthy(line_with(shown, "since 2026-02-01: node state differs: " .. text))
            shown = health.compare({ record = new.record, reference = old.record, file = "a" }).text
            local said = ("ok: virtual node haswellEP-1x2: 1 metrics, compared with a; node state differs: %s, "):format(text)
            assert.is_truthy(shown:find(said, 1, true), shown)
        end)
    end

    it("says nothing about equal settings, or settings that only one record has", function()
        local old, new = entry "2026-01-01", entry("2026-02-01", { turbo = true, access = "direct" })
        for _, other in ipairs { old, new } do
            local shown = diff.render { old = old.record, new = other.record, old_file = "a", new_file = "b", width = 200 }.text
                .. history.render({ records = { old, other } }).text
            assert.same({}, lines_with(shown, "state differs"))
        end
    end)

    it("says of a virtual node without prefetchers and noise that it has none; of a native one that it is unknown", function()
        local function between(kind)
            return node_state.between({ kind = kind }, { kind = kind, prefetchers = "X on", noise = "busy" })
        end
        assert.equal("node state differs: prefetchers off -> X on; noise off -> busy", between "virtual")
        assert.is_nil(between "native")
    end)

    it("makes a health check leave out metrics that depend on the setting, and fail if none are left", function()
        local old = entry("2026-01-01", { numa_per_socket = 1 }, { records.metric { unit = "GBytes" }, independent() }).record
        local bad = records.metric { unit = "GBytes", verdict = "rejected" }
        local new = entry("2026-01-01", { numa_per_socket = 2 }, { bad, independent() }).record
        local found = health.compare { record = new, reference = old, file = "a" }
        assert.is_true(found.good)
        assert.is_truthy(found.text:find("ok: virtual node haswellEP-1x2: 1 metrics, compared with a; node state differs: "
            .. "NUMA domains of a socket 1 -> 2 (1 metrics not compared), ", 1, true), found.text)
        new.metrics = { bad, independent "rejected" }
        assert.is_false(health.compare({ record = new, reference = old, file = "a" }).good)
        new.metrics = { bad }
        assert.has_error(function() health.compare { record = new, reference = old, file = "a" } end,
            "--reference a: node state differs: NUMA domains of a socket 1 -> 2 (1 metrics not compared); make it in the same state")
    end)
end)

describe("differences between several nodes", function()
    local function nodes(key, values)
        return lists.map(values, function(value, i) return { label = "n" .. i, node = { [key] = value } } end)
    end

    it("are listed by value, three of each by name", function()
        assert.equal("node state differs: turbo on (n1, n3, n4 and 2 more), off (n2)",
            node_state.among(nodes("turbo", { true, false, true, true, true, true })))
        assert.is_nil(node_state.among(nodes("turbo", { true, true })))
        assert.is_nil(node_state.among { { label = "a", node = { turbo = true } }, { label = "b", node = {} } })
    end)

    it("are shown for a fleet: within a group, and between a small group and the group it is compared with", function()
        local list = {}
        for i = 1, 6 do
            list[i] = synthetic.node("n" .. i, { 0.0, 1.0 }, nil, { governor = i == 6 and "powersave" or "performance" })
        end
        list[7] = synthetic.node("odd", { 0.0, 1.0 }, nil, { numa_per_socket = 2 })
        local collection = synthetic.collection(list, 2)
        local argument = { collection = collection, found = fleet.judge { collection = collection, false_alarms = 0.01 }, width = 300,
            style = "", program = "" }
        for _, made in ipairs { fleet_text, fleet_page, junit } do
            local shown = made.render(argument).text:gsub("&gt;", ">")
            local mixed = "node state differs: governor performance (n1, n2, n3 and 2 more), powersave (n6)"
            assert.is_truthy(line_with(shown, mixed))
            assert.is_nil(line_with(shown, "node state differs: NUMA domains of a socket 1 -> 2"):find(mixed, 1, true))
        end
    end)

    local function word(value)
        return type(value) == "boolean" and (value and "on" or "off") or tostring(value)
    end

    -- The rows of a CSV text, its heading as the first: array of { [column] = field }.
    local function rows_of(text)
        local names, rows = nil, {}
        for line in text:gmatch "[^\n]+" do
            local fields, row = {}, {}
            line = line:gsub('"([^"]*)"', function(quoted) return (quoted:gsub(",", "\0")) end)
            for one in (line .. ","):gmatch "([^,]*)," do
                fields[#fields + 1] = one:gsub("%z", ",")
            end
            names = names or fields
            for i, one in ipairs(fields) do
                row[names[i]] = one
            end
            rows[#rows + 1] = row
        end
        return rows
    end

    for _, setting in ipairs(SETTINGS) do
        local key, before, after, text = table.unpack(setting)
        local values = { before, before, before, after }

        it("are in a fleet's CSV and OpenMetrics text: " .. text, function()
            local list = lists.map(values, function(value, i) return synthetic.node("n" .. i, { 0.0 }, nil, { [key] = value }) end)
            local collection = synthetic.collection(list, 1)
            local argument = { collection = collection, found = fleet.judge { collection = collection, false_alarms = 0.01 } }
            local rows, series = lists.index(rows_of(csv.render(argument).text), "node"), openmetrics.render(argument).text
            for i = 1, 4 do
                local host, value, is_odd = "n" .. i, word(values[i]), i == 4
                assert.same({ value, is_odd and text or "" }, { rows[host][key], rows[host].state_differs })
                local own = ('host="%s",kind="native",arch="anyEP"'):format(host)
                assert.equal(("assay_node_differing_settings{%s} %d"):format(own, is_odd and 1 or 0),
                    line_with(series, "settings{" .. own))
                local info = line_with(series, "assay_node_state_info{" .. own)
                assert.is_truthy(info:find((',%s="%s"'):format(key, value), 1, true), info)
                assert.is_truthy(info:find "} 1$", info)
            end
        end)

        it("are named next to analyses, and in their means and differences: " .. text, function()
            local files = { "a.json", "b.json" }
            local argument = { records = { analyses.hybrid(), analyses.hybrid() }, files = files, style = "", program = "" }
            local function outputs()
                local mean = algebra.combine { name = "mean", records = argument.records, files = files }
                return { compare.render(argument).text, compare_page.page(argument).text, table.concat(mean.messages, "\n") }
            end
            for _, shown in ipairs(outputs()) do
                assert.same({}, lines_with(shown, "state differs"))
            end
            argument.records[1].node[key], argument.records[2].node[key] = before, after
            for _, shown in ipairs(outputs()) do
                local differs = ("%s (a.json), %s (b.json)"):format(word(before), word(after))
                assert.is_truthy(line_with(shown, "node state differs: "):find(differs, 1, true), shown)
            end
        end)
    end

    it("are counted from the state of most nodes of the largest group; unknown settings are not", function()
        local list = {}
        for i, state in ipairs { { turbo = true }, {}, { turbo = false }, { turbo = false }, { turbo = false, smt = 2 } } do
            list[i] = synthetic.node("n" .. i, { 0.0 }, nil, state)
        end
        local collection = synthetic.collection(list, 1)
        local found = fleet.judge { collection = collection, false_alarms = 0.01 }
        local states = lists.map(found.nodes, function(node) return table.concat(node.state, "; ") end)
        assert.same({ "turbo off -> on", "", "", "", "hardware threads a core 1 -> 2" }, states)
        assert.is_nil(openmetrics.render({ collection = collection, found = found }).text:match '_info{host="n2"[^\n]*turbo=')
    end)

    it("are shown in the wiki: between nodes, and between records of one node", function()
        local function shown(list)
            return tables.render({ records = list, catalogues = {} }).pages[1].text
        end
        local two = { entry("2026-01-01", { name = "a", smt = 1 }), entry("2026-01-02", { name = "b", smt = 2 }) }
        assert.equal("**node state differs: hardware threads a core 1 (a), 2 (b)**", line_with(shown(two), "state differs"))
        local one = { entry("2026-01-01", { access = "direct" }), entry("2026-01-02", { access = "accessdaemon" }) }
        assert.equal("**node state differs: access mode accessdaemon (haswellEP-1x2 on 2026-01-02T00:00:00Z), "
            .. "direct (haswellEP-1x2 on 2026-01-01T00:00:00Z)**", line_with(shown(one), "state differs"))
        assert.same({}, lines_with(shown { one[1] }, "state differs"))
    end)

    it("are in exported groups and signatures", function()
        local list = { entry("2026-01-01", { name = "a", numa_per_socket = 1 }), entry("2026-01-02", { name = "b", numa_per_socket = 2 }) }
        local differs = "node state differs: NUMA domains of a socket 1 (results/haswellEP/a/2026-01-01.json), 2 (results/haswellEP/b/"
            .. "2026-01-02.json)"
        for _, one in ipairs(list) do
            for _, metric in ipairs(one.record.metrics) do
                metric.extremes = {}
            end
            one.record.matrix = { signatures = { { pattern = "p", tests = {} } } }
        end
        local made = catalogue.make { records = list, groups = {}, assay = "0" }.catalogue
        assert.equal(differs, made.architectures[1].node_state)
        assert.is_truthy(line_with(catalogue.table { catalogue = made, width = 200 }.text, differs))
        local function given(format)
            return signatures.make { records = list, groups = {}, events = "", format = format }
        end
        assert.equal(differs, line_with(given("table").table, differs))
        assert.equal(differs, given("json").files[1].value.signatures[1].node_state)
    end)
end)

describe("the setting for which a record's verdicts hold", function()
    local record = entry("2026-01-01", { governor = "powersave", kind = "native" }, { records.metric() }).record
    local said = "governor powersave: the clock follows the load; verdicts of 1 metrics of time hold for this setting only"

    it("is shown in the table, on the page and in the wiki", function()
        assert.equal(said, line_with(report.render { record = record, width = 200 }.text, "governor"))
        assert.equal("<p>" .. said .. "</p>", line_with(page.page { record = record, style = "", program = "" }.text, "hold for this"))
        local wiki = tables.render { records = { { file = "a", record = record } }, catalogues = {} }.pages[1].text
        assert.equal("haswellEP-1x2: " .. said, line_with(wiki, "hold for this"))
    end)
end)
