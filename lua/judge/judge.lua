-- judge.lua - the error of a metric, its error class, and the verdict: what a tool may use the metric for.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Errors: deviation.lua. Classes: classify.lua. Detectable errors: resolution.lua. Thresholds: threshold.lua. This file gathers
-- samples, turns classes into verdicts and writes the record's "metrics". An absent sample never becomes a number.
local arrange = require "judge.arrange"
local array = require "input.array"
local classify = require "judge.classify"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local oracles = require "judge.oracles"
local quantity = require "plan.quantity"
local repetitions = require "judge.repetitions"
local resolution = require "judge.resolution"
local scatter = require "judge.scatter"
local stats = require "numeric.stats"
local systematic = require "judge.systematic"
local threshold = require "judge.threshold"
local vendor = require "input.vendor"
local vocabulary = require "judge.vocabulary"

local judge = {}

local VERDICTS = {
    exact = "validated",
    bias = "correctable",
    multiplicative = "correctable",
    random = "rejected",
    unknown = "rejected",
    missing = "missing",
}
local HIDES_RANDOM = { exact = true, bias = true, multiplicative = true } -- classes that the medians of a random metric may show
local UNRESOLVED = "a factor of twice the tolerance would not have been noticed"
local NOISY = "repetitions differ by a standard deviation of %.3g %%, too much for so few; try more with --reps"
local UNTESTED = "nothing but 0 was expected: whether it counts was not tested"

-- Is this reason of absence no fault of the counter? Then no counter could have given a value.
local function is_no_finding(word)
    return vocabulary.is_uncounted(word) or word:find("^run failed") ~= nil
end

-- Splits samples into rows (with a value and an expectation) and reasons of absence.
local function summarise(samples)
    local sum = { rows = {}, measured = {}, expected = {}, lows = {}, highs = {}, words = {}, absent = 0, unseen = 0 }
    for _, sample in ipairs(samples) do
        sum.is_rate = sum.is_rate or sample.seconds ~= nil
        if sample.expected then
            sum.lows[#sum.lows + 1] = sample.expected.min
            sum.highs[#sum.highs + 1] = sample.expected.max
        end
        if sample.measured and sample.expected then
            sum.rows[#sum.rows + 1] = deviation.row(sample)
            sum.measured[#sum.measured + 1] = sample.measured
            sum.expected[#sum.expected + 1] = sample.expected.value
        else
            local word = sample.why or "no expectation"
            sum.words[word] = (sum.words[word] or 0) + 1
            sum.absent = sum.absent + 1
            sum.unseen = sum.unseen + (is_no_finding(word) and 1 or 0)
        end
    end
    return sum
end

local function describe_words(words)
    return lists.join(lists.sorted(words), ", ", function(word) return ("%s (%d)"):format(word, words[word]) end)
end

local function span(lows, highs, middle)
    if #lows == 0 then
        return nil
    end
    local _, high = stats.range(highs)
    return { min = stats.range(lows), max = high, mean = stats.mean(middle) }
end

local function find_class(sum, tolerance_pct)
    local words = describe_words(sum.words)
    if #sum.rows == 0 then
        return { class = "missing", reason = sum.absent > 0 and "no value: " .. words or "no samples" }
    end
    return classify.rows(sum.rows, tolerance_pct, sum.absent > sum.unseen and words or nil)
end

local function explain_absent(sum, reason)
    if reason == "" and sum.unseen > 0 then
        reason = "without samples of: " .. describe_words(sum.words)
    end
    return reason ~= "" and reason or nil
end

local function offset_unit(unit, is_rate)
    return is_rate and unit and unit:gsub("/s$", "") or unit
end

-- What repetitions on a noisy node show (repetitions.lua); their medians do not show a random error.
local function add_noise(result, found)
    result.noise = { exact_pct = found.exact_pct, sd_pct = found.sd_pct, far_off = found.far_off, of = found.of }
    if found.random and HIDES_RANDOM[result.class] then
        result.class, result.verdict, result.reason, result.correction = "random", VERDICTS.random, found.random, nil
    end
end

-- Intervals widened for noise have no residues, so the reason is given from all repetitions.
local function explain_residue(result)
    if result.class == "unknown" and not result.reason and result.residue_pct then
        result.reason = classify.why_residue(stats.worst { result.residue_pct.min, result.residue_pct.max })
    end
end

-- Samples of repetitions that were not disturbed (witness.lua).
local function undisturbed(samples, disturbed)
    return lists.filter(samples, function(sample) return not disturbed[sample] end)
end

-- The smallest detectable error that a validated metric may have, in %. On a noisy node the noise may add to it, at most exact_pct.
local function sharpness(result, sum)
    return resolution.TWICE * result.tolerance_pct + sum.allowed_pct
end

-- An exact metric is validated only if an error would have been detected: adds the detectable error, or changes the verdict.
local function add_resolution(result, sum, is_tested)
    if result.class ~= "exact" then
        return
    end
    result.resolution = resolution.of(sum.rows, result.tolerance_pct)
    result.resolution.offset_unit = offset_unit(sum.unit, sum.is_rate)
    local percent = resolution.percent(result.resolution)
    if not is_tested then
        result.verdict, result.reason = "untested", result.reason or UNTESTED
    elseif not percent or percent > sharpness(result, sum) then
        local is_noisy = result.noise and result.noise.sd_pct > result.tolerance_pct / resolution.TWICE
        local why = is_noisy and NOISY:format(result.noise.sd_pct) or UNRESOLVED
        result.verdict, result.reason = "unresolved", result.reason or why
    end
end

local function describe_correction(found, unit, is_rate)
    return found and {
        factor = found.factor,
        factor_ci = found.factor_ci and array(found.factor_ci),
        offset = found.offset,
        offset_ci = found.offset_ci and array(found.offset_ci),
        offset_unit = offset_unit(unit, is_rate),
        error_pct = stats.summary(found.errors),
        residue_pct = stats.summary(found.residues),
    } or nil
end

-- samples (plan.lua) of ONE metric over all points and repetitions, spec = { tolerance_pct =, errata = {..}|nil, noise = for a noisy node,
-- { exact_pct = exactness in % that is enough to validate, disturbed = { [sample] = true } }|nil } -> { n = samples with a value,
--   expected = { min =, max =, mean = }|nil, measured = { min =, max =, mean = }|nil,
--   error_pct = { min =, avg =, max =, median =, sd = }|nil, residue_pct = the same where 0 is expected|nil,
--   repetitions_pct = (scatter.lua)|nil, fit = |nil, tolerance_pct =, class = |nil, verdict =, reason = |nil, errata = {..},
--   correction = |nil, resolution = for an exact metric, oracles = |nil, noise = |nil (plan.lua) }, and the samples that decided
-- A metric without any chance of a value (every sample "not modelled" or "run failed") is skipped and has no class.
function judge.metric(samples, spec)
    local all = summarise(samples)
    local _, errors, residues = deviation.list(all.rows)
    local kept = spec.noise and undisturbed(samples, spec.noise.disturbed) or samples
    local settled = spec.noise and repetitions.settle(kept, spec.tolerance_pct)
    local sum = spec.noise and summarise(settled and settled.samples or kept) or all
    sum.unit = samples[1].unit
    sum.allowed_pct = settled and math.min(spec.noise.exact_pct, resolution.TWICE * settled.reach_pct) or 0
    local result = {
        n = #all.rows,
        expected = span(all.lows, all.highs, all.expected),
        measured = span(all.measured, all.measured, all.measured),
        error_pct = stats.summary(errors),
        residue_pct = stats.summary(residues),
        repetitions_pct = scatter.repetitions_pct(all.rows),
        fit = systematic.line(sum.rows),
        tolerance_pct = spec.tolerance_pct,
        errata = array(),
        oracles = oracles.summary(samples),
    }
    if #sum.rows == 0 and sum.absent > 0 and sum.absent == sum.unseen then
        result.verdict, result.reason = "skipped", describe_words(sum.words)
        return result, samples
    end
    local found = find_class(sum, spec.tolerance_pct)
    result.class, result.verdict, result.reason = found.class, VERDICTS[found.class], explain_absent(sum, found.reason)
    result.correction = describe_correction(found.correction, sum.unit, sum.is_rate)
    if settled then
        add_noise(result, settled)
        explain_residue(result)
    end
    add_resolution(result, sum, resolution.is_tested(all.rows))
    result.errata = array(spec.errata or {})
    return result, settled and result.class ~= "random" and settled.samples or kept
end

local SERIES = { "group", "metric" } -- controls of a pattern are compared per group and metric

-- Leaves out errata that need two hardware threads per core if the node runs one.
local function errata_on(node, machine, ids)
    local needs_smt = lists.set(lists.filter(machine.errata, "smt"), "id")
    return lists.filter(ids, function(id) return not (needs_smt[id] and node and node.smt == 1) end)
end

-- A quantity with the tolerance, errata and noise parameters of its metric on this node. Only a virtual node without noise has virtual
-- tolerances.
local function specification(one, argument)
    local disturbed = argument.disturbed
    local noise = disturbed and { exact_pct = (argument.machine.silicon or {}).exact_pct or 0, disturbed = disturbed }
    return {
        tolerance_pct = argument.virtual and not noise and one.virtual_pct or one.tolerance_pct,
        errata = errata_on(argument.node, argument.machine, one.errata),
        noise = noise,
        vendor = vendor.of_metric(argument.vendor, argument.groups[one.group], one.of or one.metric),
        boundary = one.boundary, direction = one.direction, kind = one.kind,
    }
end

local function quantities_of(machine, groups)
    return lists.index(quantity.all(machine, groups), function(one) return one.group .. "\t" .. one.metric end)
end

-- Adds the threshold from the controls. A metric that is or may be wrong, but whose controls are clearly apart, is qualitative.
local function add_threshold(metric, found)
    metric.threshold = found
    if found and found.value and (metric.verdict == "rejected" or metric.verdict == "unresolved") then
        metric.verdict = "qualitative"
    end
end

-- Adds each metric's threshold from the samples of its series.
local function add_thresholds(metrics, samples, argument)
    local where = { kind = argument.virtual and "virtual" or "native", arch = argument.machine.arch }
    local _, series = arrange.gather(samples, SERIES)
    local thresholds = {}
    for key, own in pairs(series) do
        thresholds[key] = threshold.find(own, argument.pattern.controls, where)
    end
    for _, metric in ipairs(metrics) do
        add_threshold(metric, thresholds[vocabulary.identity(metric, SERIES)])
    end
end

-- { pattern =, machine =, groups =, samples =, skipped = plan's, virtual = bool: virtual node, node =, disturbed = on a noisy node, set
-- of the samples of disturbed repetitions |nil, vendor = (vendor.by_event) |nil, shared = a table for what calls with these groups share
-- |nil } -> array of the record's "metrics", array of the samples that decided
function judge.metrics(argument)
    if not argument.groups then
        error("judge.metrics needs the groups: they say which events a metric, and so an erratum, is about", 0)
    end
    local shared, specs = argument.shared or {}, {}
    shared.quantities = shared.quantities or quantities_of(argument.machine, argument.groups)
    local metrics, decisive = array(), {}
    for _, samples in ipairs((arrange.gather(argument.samples, vocabulary.IDENTITY))) do
        local first = samples[1]
        local name = first.group .. "\t" .. first.metric
        if not shared.quantities[name] then
            error(("machine %s does not name metric '%s' of %s"):format(argument.machine.arch, first.metric, first.group), 0)
        end
        local spec = specs[name] or specification(shared.quantities[name], argument)
        specs[name] = spec
        local metric, own = judge.metric(samples, spec)
        lists.append(decisive, own)
        for _, key in ipairs(vocabulary.IDENTITY) do
            metric[key] = first[key]
        end
        metric.vendor = spec.vendor
        metric.unit, metric.boundary, metric.direction, metric.kind = first.unit, spec.boundary, spec.direction, spec.kind
        metrics[#metrics + 1] = metric
    end
    add_thresholds(metrics, argument.disturbed and undisturbed(argument.samples, argument.disturbed) or argument.samples, argument)
    arrange.sort(metrics, argument.pattern)
    lists.append(metrics, argument.skipped or {}, function(skipped)
        return { pattern = skipped.pattern, code = skipped.code, level = skipped.level, placement = skipped.placement, n = 0,
            verdict = "skipped", reason = skipped.reason, errata = array() }
    end)
    return metrics, decisive
end

return judge
