-- judge.lua - how far a metric is from the truth, what kind of error that is, and what a tool may do with it.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The error of a sample is 0 inside the expected interval, else the signed distance to its nearest end in % of that end. Where the
-- interval is [0, 0] there is no error in %: the residue in % of the work (the bytes that the code touches) takes its place, judged
-- by the same tolerance. Absent samples never become numbers; a metric is exact only if no sample is absent for a reason of the counter.
local array = require "array"
local quantity = require "quantity"
local stats = require "stats"

local judge = {}

local MOVES_PCT = 10 -- expectations that differ by this much must move the value ...
local STUCK_SHARE = 0.05 -- ... by at least this share of their own difference

-- Absences that say nothing of the counter: nobody could have seen a value.
local function is_no_finding(word)
    return word == "not modelled" or word:find("^run failed") ~= nil
end

-- Signed error in % of the nearest end of the interval; 0 inside. nil where the expectation is 0 only.
function judge.error_pct(measured, expected)
    if expected.max <= 0 then
        return nil
    end
    local nearest = math.min(math.max(measured, expected.min), expected.max)
    return nearest == measured and 0.0 or 100 * (measured - nearest) / nearest
end

local function add_number(sum, sample)
    local expected = sample.expected
    sum.expected[#sum.expected + 1] = expected.value
    sum.measured[#sum.measured + 1] = sample.measured
    local percent = judge.error_pct(sample.measured, expected)
    if percent then
        sum.errors[#sum.errors + 1] = percent
    else
        sum.residues[#sum.residues + 1] = 100 * sample.measured / sample.work
    end
end

local function count_word(words, word)
    words[word] = (words[word] or 0) + 1
end

-- Sorts samples into numbers (with errors or residues) and words.
local function summarise(samples)
    local sum = { expected = {}, measured = {}, errors = {}, residues = {}, words = {}, absent = 0, unseen = 0, lows = {}, highs = {} }
    for _, sample in ipairs(samples) do
        if sample.expected then
            sum.lows[#sum.lows + 1] = sample.expected.min
            sum.highs[#sum.highs + 1] = sample.expected.max
        end
        if sample.measured and sample.expected then
            add_number(sum, sample)
        else
            local word = sample.why or "no expectation"
            count_word(sum.words, word)
            sum.absent = sum.absent + 1
            sum.unseen = sum.unseen + (is_no_finding(word) and 1 or 0)
        end
    end
    return sum
end

local function describe_words(words)
    local names = {}
    for word in pairs(words) do
        names[#names + 1] = word
    end
    table.sort(names)
    for i, word in ipairs(names) do
        names[i] = ("%s (%d)"):format(word, words[word])
    end
    return table.concat(names, ", ")
end

local function all_zero(values)
    local low, high = stats.range(values)
    return low == 0 and high == 0
end

-- Does the value stay where it is although expectations differ clearly?
local function is_stuck(sum)
    local low, high = stats.range(sum.expected)
    if high - low < MOVES_PCT / 100 * high then
        return false
    end
    local least, most = stats.range(sum.measured)
    return most - least < STUCK_SHARE * (high - low)
end

local function test_missing(sum)
    if #sum.measured == 0 then
        return sum.absent > 0 and "no value: " .. describe_words(sum.words) or "no samples"
    end
    local _, expected_most = stats.range(sum.expected)
    if expected_most <= 0 then
        return nil
    end
    if all_zero(sum.measured) then
        return "0 throughout"
    end
    return is_stuck(sum) and "the value does not move with the expectation" or nil
end

local function worst(values)
    local low, high = stats.range(values)
    return low and math.max(math.abs(low), math.abs(high)) or 0
end

local function test_exact(sum, spec)
    if sum.absent > sum.unseen or worst(sum.errors) > spec.tolerance_pct or worst(sum.residues) > spec.tolerance_pct then
        return nil
    end
    return ""
end

local function test_unknown(sum, spec)
    if sum.absent > sum.unseen then
        return "some samples have no value: " .. describe_words(sum.words)
    end
    if worst(sum.residues) > spec.tolerance_pct then
        return ("expected 0, measured up to %.3g %% of the work"):format(worst(sum.residues))
    end
    return ""
end

-- In this order; the first test that answers (with a reason, "" for none to give) decides.
local CLASSES = {
    { name = "missing", verdict = "missing", test = test_missing },
    { name = "exact", verdict = "validated", test = test_exact },
    { name = "unknown", verdict = "rejected", test = test_unknown },
}

local function classify(sum, spec)
    for _, class in ipairs(CLASSES) do
        local reason = class.test(sum, spec)
        if reason then
            return class, reason
        end
    end
    return error("no class answers", 0)
end

local function statistics(values)
    if #values == 0 then
        return nil
    end
    local low, high = stats.range(values)
    return { min = low, avg = stats.mean(values), max = high, median = stats.median(values), sd = stats.deviation(values) }
end

local function span(lows, highs, middle)
    if #lows == 0 then
        return nil
    end
    local _, high = stats.range(highs)
    return { min = stats.range(lows), max = high, mean = stats.mean(middle) }
end

local function explain_absent(sum, reason)
    if reason == "" and sum.unseen > 0 then
        reason = "without samples of: " .. describe_words(sum.words)
    end
    return reason ~= "" and reason or nil
end

-- samples (plan.lua) of ONE metric over all points and repetitions, spec = { tolerance_pct =, errata = {..}|nil } ->
-- { n = samples with a value, expected = { min =, max =, mean = }|nil, measured = { min =, max =, mean = }|nil,
--   error_pct = { min =, avg =, max =, median =, sd = }|nil, residue_pct = the same where 0 is expected|nil, fit = |nil,
--   tolerance_pct =, class = |nil, verdict =, reason = |nil, errata = {..} }
-- A metric that nobody could have seen (every sample "not modelled" or "run failed") is skipped and has no class.
function judge.metric(samples, spec)
    local sum = summarise(samples)
    local result = {
        n = #sum.measured,
        expected = span(sum.lows, sum.highs, sum.expected),
        measured = span(sum.measured, sum.measured, sum.measured),
        error_pct = statistics(sum.errors),
        residue_pct = statistics(sum.residues),
        fit = stats.fit(sum.expected, sum.measured),
        tolerance_pct = spec.tolerance_pct,
        errata = array(),
    }
    if #sum.measured == 0 and sum.absent > 0 and sum.absent == sum.unseen then
        result.verdict, result.reason = "skipped", describe_words(sum.words)
        return result
    end
    local class, reason = classify(sum, spec)
    result.class, result.verdict, result.reason = class.name, class.verdict, explain_absent(sum, reason)
    if class.name ~= "exact" then
        result.errata = array(spec.errata or {})
    end
    return result
end

local IDENTITY = { "pattern", "code", "level", "placement", "group", "metric" }

local function identity(sample)
    local parts = {}
    for i, key in ipairs(IDENTITY) do
        parts[i] = tostring(sample[key] or "-")
    end
    return table.concat(parts, "\t")
end

local function gather(samples)
    local bins, order = {}, {}
    for _, sample in ipairs(samples) do
        local key = identity(sample)
        if not bins[key] then
            bins[key] = {}
            order[#order + 1] = bins[key]
        end
        table.insert(bins[key], sample)
    end
    return order
end

local function specifications(machine, groups)
    local found, done = {}, {}
    for _, traffic in ipairs(machine.traffic) do
        if not done[traffic.boundary] then
            done[traffic.boundary] = true
            for _, one in ipairs(quantity.list(machine, groups, traffic.boundary)) do
                found[one.group .. "\t" .. one.metric] = one
            end
        end
    end
    return found
end

-- Position of each code and level in the pattern: records list metrics in its order, in whatever order runs ended.
local function ranks(pattern)
    local rank = {}
    for _, list in ipairs { pattern.levels, pattern.codes } do
        for number, entry in ipairs(list) do
            rank[entry.name] = number
        end
    end
    return rank
end

local function sort_metrics(metrics, pattern)
    local rank = ranks(pattern)
    for number, metric in ipairs(metrics) do
        metric.number = number
    end
    table.sort(metrics, function(a, b)
        local keys = { { rank[a.level], rank[b.level] }, { a.placement or "", b.placement or "" }, { rank[a.code], rank[b.code] } }
        for _, pair in ipairs(keys) do
            local left, right = pair[1] or 0, pair[2] or 0
            if left ~= right then
                return left < right
            end
        end
        return a.number < b.number
    end)
    for _, metric in ipairs(metrics) do
        metric.number = nil
    end
end

-- { pattern =, machine =, groups =, samples =, skipped = plan's } -> array of the record's "metrics".
function judge.metrics(argument)
    if not argument.groups then
        error("judge.metrics needs the groups: they say which events a metric, and so an erratum, is about", 0)
    end
    local specs = specifications(argument.machine, argument.groups)
    local metrics = array()
    for _, samples in ipairs(gather(argument.samples)) do
        local first = samples[1]
        local spec = specs[first.group .. "\t" .. first.metric]
        if not spec then
            error(("machine %s does not name metric '%s' of %s"):format(argument.machine.arch, first.metric, first.group), 0)
        end
        local metric = judge.metric(samples, spec)
        for _, key in ipairs(IDENTITY) do
            metric[key] = first[key]
        end
        metric.unit, metric.boundary, metric.direction, metric.kind = first.unit, spec.boundary, spec.direction, spec.kind
        metrics[#metrics + 1] = metric
    end
    sort_metrics(metrics, argument.pattern)
    for _, skipped in ipairs(argument.skipped or {}) do
        metrics[#metrics + 1] = {
            pattern = skipped.pattern,
            code = skipped.code,
            level = skipped.level,
            placement = skipped.placement,
            n = 0,
            verdict = "skipped",
            reason = skipped.reason,
            errata = array(),
        }
    end
    return metrics
end

return judge
