-- noisy_spec.lua - a kept campaign judged again with counts as noisy machines show them: right counters stay validated, nothing is blamed,
-- and wrong counters are found. SPDX-License-Identifier: GPL-3.0-or-later
require "fixture" -- where the modules in C are
local companions = require "plan.companions"
local judge = require "judge.judge"
local lists = require "input.lists"
local noisy = require "noisy"
local page = require "report.page.page"
local report = require "report.text.report"
local synthetic = require "synthetic"
local wiki = require "report.wiki.metrics"

local KEPT = "tests/records/campaign.lua" -- tests/replay/kept.sh
local QUIET, VARIED = 0.98, 0.95 -- of the validated metrics

-- The summary of a campaign, and the number of runs that were measured again.
local function judged(change, seed, reps)
    local found = noisy.judge { kept = dofile(KEPT), change = change, seed = seed, reps = reps }
    return noisy.summary(found), found.again
end

local clean = judged(function(count) return count end)

-- Share of the clean run's validated metrics that are still validated; none may become wrong, and nothing else is blamed.
local function share(summary)
    local result = noisy.compare(clean, summary)
    assert.same({}, result.wrong)
    assert.same(clean.blame, summary.blame)
    return result.kept / result.validated
end

-- Counts of every uncore event are 15 % higher in one run of ten; events with the same `key` are disturbed together.
local function bursts(key)
    return function(count, at)
        local factor = at.once(key(at), function() return at.unit() < 0.1 and 1.15 or 1 end)
        return at.is_uncore and count * factor or count
    end
end

-- The kept campaign, whose regions are iterated over from the last to the first.
local function reversed()
    local kept = dofile(KEPT)
    for _, result in pairs(kept.results) do
        setmetatable(result.regions, { __pairs = function(regions)
            local names = {}
            for name in next, regions do
                names[#names + 1] = name
            end
            table.sort(names)
            return function()
                local name = table.remove(names)
                return name, regions[name]
            end
        end })
    end
    return kept
end

describe("a seed", function()
    it("gives the same noise in each replay, whatever the order of a table's keys", function()
        local function found(kept)
            local all = noisy.judge { kept = kept, change = noisy.level "busy", seed = 1, reps = 5 }
            return { metrics = all.metrics, blame = all.blame, again = all.again }
        end
        assert.same(found(dofile(KEPT)), found(reversed()))
    end)
end)

describe("right counters of a noisy node", function()
    it("are validated as on a clean node if nothing disturbs them", function()
        assert.equal(1, share(clean))
    end)

    it("are measured again if events agree that something disturbed a run", function()
        local change, all = bursts(function(at) return at.run end), 0
        for seed = 1, synthetic.cases(3, 50) do
            local summary, again = judged(change, seed)
            assert.is_true(share(summary) >= QUIET)
            all = all + again
        end
        assert.is_true(all > 0)
    end)

    it("are measured again if more than half of the repetitions were disturbed", function()
        for disturbed = 3, 4 do
            local summary, again = judged(function(count, at)
                local rep, time = at.run:match "(%d+)/(%d+)$"
                return time == "0" and tonumber(rep) <= disturbed and 1.15 * count or count
            end, 1, 5)
            assert.equal(1, share(summary))
            assert.is_true(again > 0 and again % disturbed == 0)
        end
    end)

    it("are measured again if the threads were disturbed in different repetitions", function()
        local thread_of = { [2] = 1, [4] = 0, [5] = 0 } -- the disturbed one in a repetition
        local summary, again = judged(function(count, at)
            local rep, time = at.run:match "(%d+)/(%d+)$"
            return time == "0" and thread_of[tonumber(rep)] == at.thread and not at.is_uncore and 1.15 * count or count
        end, 1, 5)
        local disturbed = 0
        for _, plan in ipairs(dofile(KEPT).plans) do
            for job in companions.runs(plan) do
                disturbed = disturbed + (#job.cpus == 2 and 3 or 2)
            end
        end
        assert.equal(1, share(summary))
        assert.equal(disturbed, again)
    end)

    it("are judged by their median repetition if no other event agrees", function()
        assert.is_true(share((judged(bursts(function(at) return at.run .. at.event end)))) >= QUIET)
    end)

    it("get the same verdicts with a virtual node's noise as without", function()
        for seed = 1, synthetic.cases(2, 50) do
            for level, least in pairs { quiet = QUIET, busy = VARIED } do
                assert.is_true(share((judged(noisy.level(level), seed))) >= least, level)
            end
        end
    end)

    it("may vary by 1 %: the verdict gives the error that repetitions leave possible", function()
        local summary = judged(function(count, at) return count * (1 + 0.01 * at.normal()) end)
        assert.is_true(share(summary) >= VARIED)
        for id, metric in pairs(summary.metrics) do
            local noise = metric.verdict == "validated" and metric.noise
            assert.is_true(not noise or noise.sd_pct == 0 or noise.exact_pct > 0.2, id) -- 1 % of a few counts is none
        end
    end)

    it("show the same detectable error in text, page and wiki", function()
        local found = noisy.judge { kept = dofile(KEPT), change = noisy.level "busy", seed = 1, reps = 3 }
        local node = { kind = "virtual", name = "N", arch = "haswellEP", noise = "busy" }
        local record = { node = node, metrics = found.metrics, samples = {} }
        local metric = lists.find(found.metrics, function(one) return one.verdict == "validated" and one.noise.exact_pct > 0.1 end)
        local exact = (" to %.2g %%"):format(metric.noise.exact_pct)
        assert.truthy(report.render({ record = record, all = true }).text:find("validated" .. exact, 1, true))
        local html = page.page { record = record, style = "", program = "" }
        assert.truthy(html.text:find("validated</span><small>" .. exact:sub(2), 1, true))
        local lines = {}
        wiki.add_details(lines, { { label = "N", metrics = found.metrics } }, metric.pattern)
        assert.truthy(table.concat(lines, "\n"):find("validated" .. exact, 1, true))
    end)

    it("may have the error of published accurate counters: AVX operations 0.16 %", function()
        assert.equal(1, share((judged(function(count, at) return at.event:find "^AVX_INSTS" and count * 1.0016 or count end))))
    end)
end)

-- The metrics whose verdict differs from the clean node's, by verdict; and new lines of blame.
local function changed(change)
    local summary, verdicts = judged(change), {}
    for id, metric in pairs(summary.metrics) do
        if metric.verdict ~= clean.metrics[id].verdict then
            verdicts[metric.verdict] = (verdicts[metric.verdict] or 0) + 1
        end
    end
    return verdicts, noisy.compare(clean, summary).blame
end

-- A right counter's counts with noise, those of one event changed.
local function only(event, change)
    return function(count, at)
        count = count * (1 + 0.002 * at.normal())
        return at.event == event and change(count, at) or count
    end
end

describe("wrong counters of a noisy node", function()
    it("are random if single repetitions are far off", function()
        for event, change in pairs {
            CAS_COUNT_RD = function(count, at) return at.unit() < 0.1 and 4 * count or count end,
            AVX_INSTS_CALC = function(count, at) return count * (1 + 0.2 * at.normal()) end,
        } do
            local verdicts, lines = changed(only(event, change))
            assert.is_true((verdicts.rejected or 0) + (verdicts.qualitative or 0) > 0, event)
            assert.equal(1, #lines, table.concat(lines, "\n"))
            assert.truthy(lines[1]:find("^" .. event .. " counts wrong, by no constant"), lines[1])
        end
    end)

    it("have no constants if they scatter", function()
        local summary = judged(only("AVX_INSTS_CALC", function(count, at) return 2 * count * (1 + 0.1 * at.normal()) end))
        for id, metric in pairs(summary.metrics) do
            assert.is_true(metric.verdict ~= "correctable" or clean.metrics[id].verdict == "correctable", id)
        end
    end)

    it("are named with their constants", function()
        for _, factor in ipairs { 0.6, 1.05, 3 } do
            local verdicts, lines = changed(only("L1D_REPLACEMENT", function(count) return factor * count end))
            assert.is_true((verdicts.correctable or 0) > 0)
            assert.equal(1, #lines)
            assert.truthy(lines[1]:find "^L1D_REPLACEMENT counts #", lines[1])
        end
    end)
end)

describe("repetitions of a point", function()
    -- The metric judged from one point's repetitions, with this interval and tolerance 1 %.
    local function of(values, min, max)
        local samples = {}
        for rep, measured in ipairs(values) do
            samples[rep] = { pattern = "p", code = "c", group = "G", metric = "m", point = "c1", rep = rep, thread = 0, work = 1000,
                measured = measured, expected = { min = min, value = 1000, max = max } }
        end
        return judge.metric(samples, { tolerance_pct = 1, noise = { exact_pct = 2, disturbed = {} } })
    end

    it("may differ widely within a wide interval of the model, but are then never validated", function()
        local found = of({ 300, 2900, 1000, 700, 1800 }, 1, 1000000)
        assert.same({ "exact", "unresolved" }, { found.class, found.verdict })
        assert.equal("validated", of({ 1000, 1000, 1000 }, 1000, 1000).verdict)
        assert.equal("unresolved", of({ 1000, 1000, 1000 }, 1000, 1030).verdict) -- 2 % are allowed for noise, but there is no noise
    end)

    it("are all judged if there are only two", function()
        local found = of({ 1000, 1100 }, 1000, 1000)
        assert.is_nil(found.noise)
        assert.equal("rejected", found.verdict)
    end)

    it("are judged by the farther end of the interval", function()
        assert.near(3, of({ 1000, 1000, 1000 }, 1000, 1030).noise.exact_pct, 1e-9)
    end)
end)
