-- events.lua - what each event of a node counts, and whether that is what it is documented to count.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- A finding is { event =, options =, counters = text, counts = what it counts, as text, kind =, names = (identify.lua), class =,
--   terms = { [basic concept] = weight } of a sum |nil, said = its meaning in pmu.concepts |nil, factor = |nil, offset = |nil,
--   reason = |nil, slopes =, r2 = arrays of numbers by row |nil, expected = their right values, array of { min =, value =, max = }|false
--   |nil, error_pct = largest error of rows with some |nil, sd_pct = largest standard deviation over repetitions in these rows |nil:
--   fewer than three }
-- Classes, relative to the documented meaning (of an undocumented event: to what it is found to count):
--   exact            slopes equal the concept's
--   bias             slopes equal the concept's, but every region has a constant more
--   multiplicative   slopes are a multiple of the concept's
--   random           counts are not linear in the passes, but right in the median
--   unknown          none of these                       other     it counts something else, see `counts`
--   missing          it should have counted but did not  untested   no probe produces what it is documented to count
--   absent           it has no value, see `reason`
local array = require "input.array"
local concepts = require "input.concepts"
local event_counters = require "plan.event_counters"
local event_counts = require "events.read.event_counts"
local identify = require "events.judge.identify"
local lists = require "input.lists"
local plausibility = require "events.judge.plausibility"
local rows = require "events.judge.rows"
local stats = require "numeric.stats"
local vectors = require "events.judge.vectors"

local events = {}

local STRAIGHT = 0.999 -- r2 of counts that are linear in the passes
local BIAS = 0.01 -- of the largest count: a larger constant offset is a bias
local BIAS_LEAST = 2000 -- if it also exceeds this: for most events, measuring a region costs fewer counts
local BIAS_SURE = 20000 -- an offset that is always a bias: measuring a region costs some 8500 instructions
local AGREE, NEAR = 0.75, 0.1 -- share of regions with the same offset; tolerance of "same"
local REPETITIONS = 3 -- least number for a standard deviation

-- Standard deviation of the slopes of single repetitions; nil for too few.
local function deviation_of(of_rep)
    local slopes = lists.map(of_rep, function(values) return rows.fit(values).slope end)
    return #slopes >= REPETITIONS and stats.deviation(slopes) or nil
end

-- Fits of all rows of the plan, { [row's number] = rows.fit }, or nil and the reason; argument as for find.
function events.measure(argument, event)
    local jobs = argument.plan.jobs
    local run = not event.reason and event_counts.run_of(jobs[1], event)
    if not run then
        return nil, event.reason or "no counter of the machine file can count it"
    end
    local fits = {}
    for i, row in ipairs(argument.plan.rows) do
        local values, of_rep = {}, {}
        for _, region in ipairs(row.regions) do
            local counts, why = event_counts.read(argument, jobs[row.job or 1], run, event, region.region)
            if not counts then
                return nil, why
            end
            for rep, value in ipairs(counts) do
                values[#values + 1] = { times = region.times, value = value }
                lists.push(of_rep, rep, values[#values])
            end
        end
        fits[i] = rows.fit(values)
        fits[i].most, fits[i].sd = values[#values].value, deviation_of(of_rep)
    end
    return fits
end

-- Known amounts of the rows, per core or (is_core = false) per box. Boxes also count other cores, so rows with a mate are then unknown.
-- Result: expect(terms) -> amounts by row; slacks and scales by row; concepts.
local function survey(argument, is_core)
    local made = { concepts = {}, slacks = {}, scales = {} }
    function made.expect(terms)
        return lists.map(argument.plan.rows, function(row)
            return (is_core or not row.has_mate) and rows.expected(row, terms)
        end)
    end
    for i, row in ipairs(argument.plan.rows) do
        made.slacks[i], made.scales[i] = rows.slack(row), rows.expected(row, { instructions = 1 }).value
    end
    for i, one in ipairs(argument.concepts) do
        made.concepts[i] = { name = one.name, terms = one.terms, expected = made.expect(one.terms) }
    end
    return made
end

-- Both surveys, indexed by is_core.
function events.surveys(argument)
    return { [true] = survey(argument, true), [false] = survey(argument, false) }
end

-- Is the event counted per core?
function events.is_core(event)
    return #event.counters == 1 and event_counters.is_core(event.counters[1])
end

local function slopes_of(fits)
    return array(lists.map(fits, "slope")), array(lists.map(fits, function(fit) return fit.r2 or 1 end)) -- constant counts lie on a line
end

-- Are the counts of more than a quarter of the known, non-zero rows not linear? A few may be bent: cached data of the previous row may
-- be used up during the next one.
local function is_scattered(fits, made, expected)
    local all, bent = 0, 0
    for i, fit in ipairs(fits) do
        if expected[i] and math.abs(fit.slope) > rows.SOME * made.slacks[i] then
            all, bent = all + 1, bent + ((fit.r2 or 0) < STRAIGHT and 1 or 0)
        end
    end
    return all > 0 and bent > all / 4
end

-- The constant offset of all regions; nil if there is none.
local function bias_of(fits)
    local offsets, most = lists.map(fits, "offset"), lists.most(fits, 0, "most")
    local offset = stats.median(offsets)
    local near = lists.count(offsets, function(own) return math.abs(own - offset) <= NEAR * math.abs(offset) end)
    local is_large = math.abs(offset) > math.max(BIAS_LEAST, math.min(BIAS * most, BIAS_SURE))
    return is_large and near >= AGREE * #offsets and offset or nil
end

-- Sets class and constants of a finding, given the expectations by row.
local function classify(finding, fits, slopes, made, expected)
    local factor = identify.factor(slopes, expected, made.slacks)
    if not factor then
        return "untested"
    elseif is_scattered(fits, made, expected) then
        return "random"
    elseif identify.fits(slopes, expected, made.slacks, 1) then
        finding.offset = bias_of(fits)
        return finding.offset and "bias" or "exact"
    elseif finding.kind == "nothing" then
        return "missing"
    elseif factor > 0 and identify.fits(slopes, expected, made.slacks, factor) then
        finding.factor, finding.offset = factor, bias_of(fits)
        return "multiplicative"
    end
    return finding.kind == "unknown" and "unknown" or "other"
end

-- The largest standard deviation over rows that have some, in % of the slope.
local function worst_deviation(fits, made)
    local worst
    for i, fit in ipairs(fits) do
        local is_some = fit.sd and math.abs(fit.slope) > rows.SOME * made.slacks[i]
        worst = is_some and math.max(worst or 0, 100 * fit.sd / math.abs(fit.slope)) or worst
    end
    return worst
end

local function worst_error(fits, made, expected)
    local worst
    for i, fit in ipairs(fits) do
        worst = rows.worse(worst, expected[i] and rows.off(fit.slope, expected[i], made.slacks[i]))
    end
    return worst
end

-- The terms that the finding's `counts` stands for.
local function terms_of(argument, finding)
    local concept = lists.find(argument.concepts, function(one) return one.name == finding.names[1] end)
    return concept and concept.terms or finding.terms
end

local function find_one(argument, made, event)
    local finding = { event = event.event, options = event.options, counters = table.concat(event.counters, " "), names = {} }
    local said = concepts.said_of(argument.said, event)
    finding.said = said and said.text
    local fits, why = events.measure(argument, event)
    if not fits then
        finding.kind, finding.counts, finding.class, finding.reason = "absent", "-", "absent", why
        return finding
    end
    local slopes, r2 = slopes_of(fits)
    local found = identify.find(slopes, made)
    finding.kind, finding.counts, finding.names, finding.slopes, finding.r2 = found.kind, found.text, array(found.names), slopes, r2
    finding.terms, finding.sd_pct = found.terms, worst_deviation(fits, made)
    local terms = said and said.terms or terms_of(argument, found)
    if terms and not terms.nothing then
        local expected = made.expect(terms)
        finding.class = classify(finding, fits, slopes, made, expected)
        finding.error_pct = worst_error(fits, made, expected)
        finding.expected = array(expected)
        if said and identify.fits(slopes, expected, made.slacks, 1) then
            finding.counts, finding.kind = said.text, "concept"
        end
    else
        local is_right = found.kind == "nothing"
        finding.class = is_right and (said and "exact" or "untested") or said and "other" or "unknown"
    end
    return finding
end

-- { plan =, results =, reps = } -> { [event's name in the plan] = reason } of the events without a value.
function events.absent(argument)
    local reasons = {}
    for _, event in ipairs(argument.plan.events) do
        local fits, why = events.measure(argument, event)
        reasons[event.name] = not fits and why or nil
    end
    return reasons
end

-- { plan = events.make(), results =, reps =, concepts =, said = concepts.events() } -> array of findings, in the plan's order.
function events.find(argument)
    local made = events.surveys(argument)
    return array(lists.map(argument.plan.events, function(event)
        return find_one(argument, made[events.is_core(event)], event)
    end))
end

-- As find, with groups =, machine =, node = of events/plan/events.lua -> { events = findings, vectors = vectors.find(), cycles =
-- plausibility.find(), skipped = the plan's }.
function events.survey(argument)
    local own = setmetatable({ findings = events.find(argument) }, { __index = argument })
    return { events = own.findings, vectors = vectors.find(own), cycles = plausibility.find(own),
        skipped = array(argument.plan.skipped) }
end

return events
