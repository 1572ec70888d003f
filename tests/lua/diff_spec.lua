-- diff_spec.lua - what counts as worse between two records, and how it is shown.
-- SPDX-License-Identifier: GPL-3.0-or-later
local diff = require "report.text.diff"
local node_state = require "judge.node_state"
local records = require "records"
local vocabulary = require "judge.vocabulary"

describe("diff", function()
    local function compare(old, new)
        local found = diff.compare(records.record { records.metric(old) }, records.record { records.metric(new) })
        return found.counts, found.changes[1]
    end

    it("finds nothing between equal records", function()
        local counts, change = compare()
        assert.same({ worse = 0, laxer = 0, better = 0, drifted = 0, new = 0, same = 1 }, counts)
        assert.is_nil(change)
    end)

    local CLASSES = { "exact", "bias", "multiplicative", "random", "unknown", "missing" }
    local VERDICTS = { "validated", "correctable", "qualitative", "rejected", "missing", "skipped" }

    for key, order in pairs { class = CLASSES, verdict = VERDICTS } do
        it("orders from good to bad: " .. key, function()
            for i, old in ipairs(order) do
                for j, new in ipairs(order) do
                    local counts = compare({ [key] = old }, { [key] = new })
                    assert.equal(j > i and 1 or 0, counts.worse, old .. " -> " .. new)
                    assert.equal(j < i and 1 or 0, counts.better, old .. " -> " .. new)
                end
            end
        end)
    end

    it("calls a metric worse if its class is worse, even with a better verdict", function()
        local counts = compare({ class = "exact", verdict = "rejected" }, { class = "random", verdict = "qualitative" })
        assert.equal(1, counts.worse)
        assert.equal(0, counts.better)
    end)

    it("calls a missing metric worse, but not a skipped one", function()
        local empty = records.record {}
        assert.equal(1, diff.compare(records.record { records.metric() }, empty).counts.worse)
        assert.equal(0, diff.compare(records.record { records.metric { verdict = "skipped" } }, empty).counts.worse)
        assert.equal(1, diff.compare(empty, records.record { records.metric() }).counts.new)
    end)

    it("does not compare metrics that depend on differing settings of the nodes, and says why; versions are compared", function()
        local function found(old_state, new_state, metric)
            local old, new = records.metric(metric), records.metric(metric)
            new.class, new.verdict = "unknown", "rejected"
            local result = diff.compare(records.record({ old }, nil, old_state), records.record({ new }, nil, new_state))
            return result.counts.worse, next(result.apart)
        end
        local function apart(reason, ...)
            local worse, given = found(...)
            assert.equal(reason and 0 or 1, worse)
            assert.equal(reason, given)
        end
        local volume = { unit = "GBytes" }
        apart("turbo off -> on (metrics of time)", { turbo = false }, { turbo = true })
        apart(nil, { turbo = false }, { turbo = true }, volume)
        apart(nil, {}, { turbo = true })
        apart("governor performance -> powersave (metrics of time)", { governor = "performance" }, { governor = "powersave" })
        apart("prefetchers X on -> X off (metrics of data in caches and memory)", { prefetchers = "X on" }, { prefetchers = "X off" },
            volume)
        apart("NUMA domains of a socket 1 -> 4 (metrics of data in caches and memory)", { numa_per_socket = 1 },
            { numa_per_socket = 4 }, volume)
        apart("NUMA balancing off -> on (metrics of two sockets)", { numa_balancing = false }, { numa_balancing = true },
            { unit = "GBytes", placement = "S0:1@S1:1" })
        apart(nil, { numa_balancing = false, microcode = "1", likwid = "5.2" },
            { numa_balancing = true, microcode = "2", likwid = "5.4" }, volume)
    end)

    it("names the settings for which one record's verdicts hold", function()
        local function lines(state)
            local across = records.metric { unit = "GBytes", placement = "S0:1@S1:1" }
            local metrics = { records.metric(), across, records.metric { verdict = "skipped" } }
            return node_state.lines(records.record(metrics, nil, state))
        end
        assert.same({}, lines {})
        assert.same({}, lines { governor = "performance", turbo = false, numa_balancing = false, prefetchers = "X on" })
        assert.same({
            "governor powersave: the clock follows the load; verdicts of 1 metrics of time hold for this setting only",
            "turbo on: the clock depends on temperature and on other cores; verdicts of 1 metrics of time hold for this setting only",
            "NUMA balancing on: the kernel moves pages between sockets; verdicts of 1 metrics of two sockets hold for this setting only",
        }, lines { governor = "powersave", turbo = true, numa_balancing = true })
    end)

    it("ignores changes of errors up to a tenth of the tolerance of 2 %", function()
        local function with(max)
            return { error_pct = { min = 0, avg = 0, max = max } }
        end
        assert.equal(0, compare(with(1), with(1.19)).drifted)
        assert.equal(1, compare(with(1), with(1.21)).drifted)
        assert.equal(1, compare({ error_pct = { min = -1, avg = 0, max = 0.5 } }, with(1.21)).drifted)
    end)

    it("shows the factor of a correction, 1 where the class is exact", function()
        local _, change = compare(nil, { class = "multiplicative", verdict = "correctable", correction = { factor = 0.6, offset = 0 } })
        local last = change.rows[#change.rows]
        assert.same({ what = "factor", old = "1", new = "0.6" }, last)
    end)

    it("distinguishes metrics by all of their keys", function()
        for _, key in ipairs { "pattern", "code", "level", "placement", "group", "metric" } do
            local counts = compare(nil, { [key] = "other" })
            assert.equal(1, counts.new, key)
            assert.equal(1, counts.worse, key)
        end
    end)

    -- The diff of two records of one metric, with `old` and `new`, and samples with these expected values.
    local function laxer(old, new, old_expected, new_expected)
        local function record(more, expected)
            local metric = records.metric(more)
            local sample = { expected = expected, rep = 1, measured = 1 }
            for _, key in ipairs(vocabulary.IDENTITY) do
                sample[key] = metric[key]
            end
            return records.record({ metric }, { samples = { sample } })
        end
        local function with(expected)
            return expected or { min = 1, value = 1, max = 1 }
        end
        local old_record, new_record = record(old, with(old_expected)), record(new, with(new_expected))
        local found = diff.compare(old_record, new_record)
        return found.counts.laxer, found.changes[1]
    end

    it("calls any larger tolerance laxer, and a smaller one not", function()
        assert.equal(1, (laxer({ tolerance_pct = 2 }, { tolerance_pct = 2.001 })))
        assert.equal(0, (laxer({ tolerance_pct = 2 }, { tolerance_pct = 1 })))
        local _, change = laxer({ tolerance_pct = 0.1 }, { tolerance_pct = 2 })
        assert.same({ { what = "tolerance", old = "0.1 %", new = "2 %" } }, change.rows)
    end)

    it("calls an expected interval laxer if it is wider by a tenth of the tolerance, here 2 %", function()
        local narrow = { min = 99, value = 100, max = 101 }
        assert.equal(0, (laxer(nil, nil, narrow, { min = 98.95, value = 100, max = 101.1 })))
        assert.equal(1, (laxer(nil, nil, narrow, { min = 98.9, value = 100, max = 101.11 })))
        assert.equal(0, (laxer(nil, nil, { min = 98.9, value = 100, max = 101.11 }, narrow)))
        assert.equal(0, (laxer(nil, nil, { min = 0, value = 0, max = 0 }, { min = 0, value = 0, max = 5 })))
    end)

    it("calls it laxer if a fault must be larger to be detected, upwards or downwards", function()
        local sharp = { resolution = { factor_up = 1.004, factor_down = 0.996, offset = 1 } }
        for _, blunt in ipairs { { 1.0081, 0.996 }, { 1.004, 0.9919 } } do
            assert.equal(1, (laxer(sharp, { resolution = { factor_up = blunt[1], factor_down = blunt[2], offset = 1 } })))
            assert.equal(0, (laxer({ resolution = { factor_up = blunt[1], factor_down = blunt[2], offset = 1 } }, sharp)))
        end
        assert.equal(0, (laxer(sharp, { resolution = { factor_up = 1.0059, factor_down = 0.9941, offset = 1 } })))
        -- the same window around another count
        assert.equal(0, (laxer(sharp, { resolution = { factor_up = 1.007, factor_down = 0.999, offset = 1 } })))
        -- more room, as the counts lie closer together, and as they do not
        local function around(up, down, spread)
            return { resolution = { factor_up = up, factor_down = down, offset = 1 },
                error_pct = { min = -spread / 2, max = spread / 2, avg = 0, median = 0, sd = 0 } }
        end
        assert.equal(0, (laxer(around(1.004, 0.996, 0.6), around(1.0065, 0.9935, 0.3))))
        assert.equal(1, (laxer(around(1.004, 0.996, 0.3), around(1.0065, 0.9935, 0.3))))
        assert.equal(0, (laxer(around(1.004, 0.996, 0.3), around(1.004, 0.996, 0.6))))
        assert.equal(1, (laxer({ resolution = { factor_up = 1.004, offset = 1 } }, { resolution = { factor_up = 1.0081, offset = 1 } })))
        assert.equal(1, (laxer(sharp, {})))
        assert.equal(0, (laxer({}, sharp)))
    end)

    it("calls a metric worse if the verdict is worse, and laxer if it is better", function()
        local worse = compare({ verdict = "validated", tolerance_pct = 1 }, { verdict = "rejected", tolerance_pct = 2 })
        assert.same({ 1, 0 }, { worse.worse, worse.laxer })
        local better = compare({ verdict = "rejected", tolerance_pct = 1 }, { verdict = "validated", tolerance_pct = 2 })
        assert.same({ 0, 1, 0 }, { better.worse, better.laxer, better.better })
    end)

    it("calls a metric laxer if it was judged and is now named as unjudged", function()
        local metric = records.metric()
        local function counts(unjudged, old)
            local new = records.record { records.metric { code = "other" } }
            new.unjudged = { unjudged }
            return diff.compare(records.record { old or metric }, new).counts
        end
        local named = { group = metric.group, metric = metric.metric, reason = "r" }
        assert.equal(1, counts(named).laxer)
        assert.equal(0, counts({ group = metric.group, metric = metric.metric, with = "G", reason = "r" }).laxer)
        assert.equal(0, counts({ group = metric.group, metric = "another", reason = "r" }).laxer)
        assert.equal(0, counts(named, records.metric { verdict = "skipped" }).laxer)
    end)

    local function render(new, more)
        local argument = { old = records.record { records.metric() }, new = new, old_file = "a.json", new_file = "b.json" }
        for key, value in pairs(more or {}) do
            argument[key] = value
        end
        return diff.render(argument)
    end

    it("stays within the width, and cuts metric names first", function()
        local long = records.record {
            records.metric { metric = ("name "):rep(30), verdict = "rejected" },
            records.metric { class = "random" },
        }
        for line in render(long, { width = 80 }).text:gmatch "[^\n]+" do
            assert.is_true(#line <= 80, line)
        end
    end)

    it("uses colours only on request", function()
        local new = records.record { records.metric { verdict = "rejected" } }
        assert.is_nil(render(new).text:find("\27", 1, true))
        assert.is_truthy(render(new, { colour = true }).text:find("\27[31mworse", 1, true))
        assert.equal(1, render(new).worse)
        local laxer_record = records.record { records.metric { tolerance_pct = 50 } }
        assert.equal(1, render(laxer_record).worse)
        assert.matches("\n1 judged less strictly: what a.json would have noticed there may pass in b.json\n$", render(laxer_record).text)
    end)

    it("refuses to compare silicon with a virtual node, or two architectures", function()
        assert.has_error(function()
            render(records.record({}, nil, { kind = "native" }))
        end, "a.json is of virtual, b.json of native: they are not comparable; name two records of the same kind and architecture")
        assert.has_error(function()
            render(records.record({}, nil, { arch = "zen" }))
        end)
    end)
end)
