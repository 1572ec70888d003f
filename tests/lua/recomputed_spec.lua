-- recomputed_spec.lua - LIKWID's own values: requested in every run, and compared with the counts up to rounding.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local boxes = require "plan.boxes"
local formula = require "input.formula"
local group = require "input.group"
local pack = require "plan.pack"
local recomputed = require "judge.recomputed"

local function runs_of(...)
    local groups, all = boxes.fit_all(fixture.groups(), fixture.machine(), fixture.node()), {}
    for i, name in ipairs { ... } do
        all[i] = groups[name]
    end
    return pack.runs { machine = fixture.machine(), groups = all }, groups
end

describe("the metrics in a run's file", function()
    it("are those of its groups, on the run's counters, and give the same values", function()
        local runs, groups = runs_of("ASSAY_L2", "ASSAY_L3", "ASSAY_CBOX", "ASSAY_MEM")
        local checked = 0
        for _, run in ipairs(runs) do
            local file = group.parse { text = run.text, file = "RUN.txt" }
            for _, event in ipairs(run.events) do
                event.value = 1000 + 37 * #event.counter * event.counter:byte(-1)
            end
            local values = { time = 0.5, inverseClock = 1e-9 }
            for _, event in ipairs(run.events) do
                values[group.with_options(event.counter, event.options)] = event.value
            end
            for _, metric in ipairs(file.metrics) do
                local own = run.own[metric.name]
                if own then
                    local original, of_group = group.metric(groups[own.group], own.metric), { time = 0.5, inverseClock = 1e-9 }
                    for name, counter in pairs(run.counters[own.group]) do
                        of_group[name] = values[counter]
                    end
                    local wanted = formula.evaluate(original.parsed or original.formula, of_group)
                    assert.near(wanted, formula.evaluate(metric.formula, values), 1e-12 * math.abs(wanted))
                    checked = checked + 1
                end
            end
        end
        assert.is_true(checked > 30)
    end)

    it("leave out metrics of a split group that the run does not show", function()
        local narrow = fixture.machine()
        for _, box in ipairs(narrow.counters) do
            box.count = box.name == "PMC" and 1 or box.count
        end
        local runs = pack.runs { machine = narrow, groups = { fixture.groups().ASSAY_L2 } }
        assert.equal(2, #runs)
        for _, run in ipairs(runs) do
            for _, own in pairs(run.own) do
                assert.is_true(pack.shows(run, own.group, own.metric))
            end
        end
    end)
end)

describe("recomputed", function()
    local runs, groups = runs_of("ASSAY_L2")
    local run = runs[1]

    -- The findings where LIKWID prints these texts, { [metric] = text }, for the counts.
    local function findings(texts, counts, absent, node)
        local metrics, found = {}, {}
        for name, own in pairs(run.own) do
            metrics[name] = texts[own.metric]
        end
        local row = { cpu = 0, seconds = 0.0015, clock_hz = 2e9, counts = counts, absent = absent or {}, metrics = metrics }
        recomputed.add(found, groups, run, { r = { row } }, node or {})
        return recomputed.findings(found)
    end

    local COUNTS = { FIXC0 = 1000, FIXC1 = 3000, FIXC2 = 3000, PMC0 = 156250, PMC1 = 15625 }

    it("reports nothing if LIKWID is right except for rounding", function()
        -- 156250 lines are 0.01 GBytes; 6666.667 MBytes/s are known as far as the time of 1.500 ms is: 0.07 %
        assert.same({}, findings({ CPI = "3.0000", ["L1-L2 load volume"] = "0.0100", ["L1-L2 evict volume"] = "0.0010", Clock = "2000.0000",
            ["L1-L2 load bandwidth"] = "6670.0000" }, COUNTS))
    end)

    it("reports a difference of one step more than the rounding", function()
        for metric, text in pairs { CPI = "3.0002", ["L1-L2 load volume"] = "0.0102", ["L1-L2 load bandwidth"] = "6690.0000" } do
            local found = findings({ [metric] = text }, COUNTS)
            assert.equal(1, #found, metric)
            assert.same({ "formula", "ASSAY_L2", metric, 1, 1 },
                { found[1].finding, found[1].group, found[1].metric, found[1].n, found[1].differ })
            assert.truthy(found[1].text:find("^formula: " .. metric:gsub("%-", "%%-")))
        end
    end)

    it("leaves out groups with boxes that the socket lacks: LIKWID adds ghosts", function()
        local node = { cpus_by_socket = { { 0 }, { 1 } }, lacking = { { "MBOX3" }, {} } }
        assert.equal(1, #findings({ CPI = "3.0002" }, COUNTS, nil, node))
        local own_runs, own_groups = runs_of("ASSAY_MEM")
        local counts, metrics = {}, {}
        for _, counter in pairs(own_runs[1].counters.ASSAY_MEM) do
            counts[counter] = 1000
        end
        for name in pairs(own_runs[1].own) do
            metrics[name] = "1"
        end
        local function groups_found(cpu)
            local found = {}
            local row = { cpu = cpu, seconds = 1, counts = counts, absent = {}, metrics = metrics }
            recomputed.add(found, own_groups, own_runs[1], { r = { row } }, node)
            return #recomputed.findings(found)
        end
        assert.equal(0, groups_found(0))
        assert.is_true(groups_found(1) > 0)
    end)

    it("reports a 0 although its events are not 0", function()
        local found = findings({ ["L1-L2 volume"] = "0" }, COUNTS)
        assert.equal(0, found[1].likwid)
        assert.near(0.011, found[1].recomputed, 1e-9)
    end)

    it("reports a value that uses a counter without a count", function()
        local found = findings({ ["L1-L2 volume"] = "0.0010", ["L1-L2 evict volume"] = "0.0010" },
            { FIXC0 = 1, FIXC1 = 1, FIXC2 = 1, PMC1 = 15625 }, { PMC0 = "dash" })
        assert.equal(1, #found)
        assert.same({ "L1-L2 volume", "PMC0 gave no value (dash)" }, { found[1].metric, found[1].why })
        assert.is_nil(found[1].recomputed)
        assert.same({}, findings({ ["L1-L2 volume"] = "0.0010" }, { PMC1 = 15625 }, { PMC0 = "not modelled" }))
    end)

    it("allows half of the last digit", function()
        for text, wanted in pairs { ["0.0001"] = 5e-5, ["7.680000e-07"] = 5e-14, ["0"] = 0, ["2300.3200"] = 5e-5 } do
            assert.near(wanted, recomputed.rounding(text), wanted * 1e-9)
        end
    end)
end)
