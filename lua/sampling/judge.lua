-- judge.lua - compares counts estimated from samples with true counts, in all and by function. SPDX-License-Identifier: GPL-3.0-or-later
--
-- An estimate is samples * period. For any program the total estimate is below the total count, by less than one period per counter. So
-- each run and period gives an interval for the count that the counters showed. The intervals determine the event's class:
--   exact            all intervals contain the true count
--   multiplicative   all contain the same multiple of it: `factor`, the range of factors that fit
--   bias             all contain it plus the same constant per core: `offset`
--   random           each run fits another factor
--   other            each run fits another factor, and samples fall where the event does not happen
--   missing          there should have been samples, but there were none        unknown   none of these
--   absent           it cannot be sampled, see `reason`
-- By function the question is where samples fall. If they fell at random, a function with m expected samples and the share p of all would
-- deviate by sqrt(m (1 - p)). A deviation of more than one sample plus CHANCE times that is not random: samples are in step with the
-- program, or late (skid). `misplaced` is the share of samples attributed to a wrong function: half the sum of the absolute differences
-- of shares.
--
-- A run: { rounds = |nil, functions = array of { function = |nil, object =, counts = { [event's number] = { true count |nil,
--   samples with each period .. } } }, totals = { [event's number] = number }, obstacles = { [event's number] = text }, units =, lost =,
--   unfinished =, parts = array of { function =, parts = of kernels, calls =, passes =, guarded =, other = } |nil }
-- Found: { events = array of { event =, said = |nil, class =, reason = |nil, factor = { min =, max = } |nil, offset = the same |nil,
--   round = events per round of our program, if constant |nil, rows = array, functions = array, closed = number of functions
--   whose counts are what their code says, differing = array of { function =, code =, counted = } }, periods =, lost =, unfinished =,
--   disagrees = true if code and counts differ somewhere }
-- Row: { run =, rounds = |nil, counted =, period =, places = number of places in a round that can be sampled |nil,
--   sweep = samples until they have passed through a round |nil: always the same place, samples =, error_pct = |nil,
--   misplaced_pct =, chance_pct = |nil, beyond =, furthest = { function =, error_pct = } |nil }
-- Function, of the last run: { function =, counted =, share_pct =, estimates = array by period }
local array = require "input.array"
local code = require "model.code"
local lists = require "input.lists"

local sampling = {}

local CHANCE = 3 -- standard deviations
local MEAN_DEVIATION = math.sqrt(2 / math.pi) -- mean absolute value of a normal variable with standard deviation 1
local FUNCTIONS = 20 -- most functions reported
local NATIVE_SLACK = 0.01 -- two runs of a program differ on silicon: interrupts, errata
local NOWHERE = "(no symbol)"

local function greatest_common(a, b)
    while b ~= 0 do
        a, b = b, a % b
    end
    return a
end

local function name_of(one)
    return one["function"] or one.object ~= "-" and ("[%s]"):format(one.object:match "[^/]*$") or NOWHERE
end

-- ---- counts known from the code

-- Concepts of our functions. Conditional branches: all passes but the last jump back, and one of two ways is taken.
local function concepts_of(part)
    return code.concepts { { part.parts.constant, part.calls }, { part.parts.pass, part.passes }, { part.parts.guarded, part.guarded },
        { part.parts.other, part.other } }
end

-- A function's count of an event from its code; nil if that does not determine it.
local function closed_form(part, terms)
    local sums, count = concepts_of(part), 0
    for concept, weight in pairs(terms) do
        if not sums[concept] then
            return nil
        end
        count = count + weight * sums[concept]
    end
    return count
end

-- { [function's name] = count } from a run's parts; empty if unknown.
local function closed_of(argument, run, number)
    local said, found = argument.said[argument.plan.events[number].event], {}
    for _, part in ipairs(said and run.parts or {}) do
        found[part["function"]] = closed_form(part, said.terms)
    end
    return found
end

-- ---- one event of one run

-- Functions with known true counts: { name =, counted =, samples = by period }, and sums over all functions.
local function functions_of(argument, run, number)
    local known, sums, closed = {}, { happened = 0 }, closed_of(argument, run, number)
    for i = 1, #argument.plan.periods do
        sums[i] = 0
    end
    for _, one in ipairs(run.functions) do
        local counts = one.counts[number]
        local name = name_of(one)
        local counted = counts and (counts[1] or closed[name])
        local samples = {}
        for i = 1, #argument.plan.periods do
            samples[i] = counts and counts[i + 1] or 0
            sums[i] = sums[i] + samples[i]
        end
        sums.happened = counts and counts[1] and sums.happened + counts[1]
        known[#known + 1] = counted and { name = name, counted = counted, samples = samples, closed = counts[1] and closed[name] } or nil
    end
    table.sort(known, lists.by(function(entry) return -entry.counted end, "name"))
    return known, sums
end

-- Distribution of the i-th period's samples over functions; nil without samples or true counts.
local function placed(known, i, period)
    local counted, samples = lists.sum(known, "counted"), lists.sum(known, function(one) return one.samples[i] end)
    if counted == 0 or samples == 0 then
        return nil
    end
    local found, worst = { misplaced = 0, chance = 0, beyond = false }, -1
    for _, one in ipairs(known) do
        local share = one.counted / counted
        local expected, deviation = share * samples, math.sqrt(share * samples * (1 - share))
        local off = one.samples[i] - expected
        found.misplaced = found.misplaced + math.abs(off) / samples / 2
        found.chance = found.chance + MEAN_DEVIATION * deviation / samples / 2
        found.beyond = found.beyond or math.abs(off) > 1 + CHANCE * deviation
        if math.abs(off) > worst and one.counted >= period then
            worst = math.abs(off)
            found.furthest = { ["function"] = one.name, error_pct = 100 * (one.samples[i] * period / one.counted - 1) }
        end
    end
    return found
end

-- Samples until the sampled place has moved through a whole round: it moves by the distance of the period from whole rounds.
local function sweep_of(period, round)
    local step = math.min(period % round, -period % round)
    return step > 0 and math.ceil(round / step) or nil
end

local function make_row(run, index, counted, known, samples, i, period, round)
    local place = placed(known, i, period) or { beyond = false }
    return { run = index, rounds = run.rounds, counted = counted, period = period,
        places = round and round // greatest_common(period, round) or nil, sweep = round and sweep_of(period, round) or nil,
        samples = samples, error_pct = counted > 0 and 100 * (samples * period / counted - 1) or nil,
        misplaced_pct = place.misplaced and 100 * place.misplaced, chance_pct = place.chance and 100 * place.chance, beyond = place.beyond,
        furthest = place.furthest }
end

-- ---- what the counters showed

-- A row's interval of the count that the counters showed, and the number of counters (units).
local function shown(row, run, slack)
    local least = row.samples * row.period
    return { min = least - slack * row.counted, max = least + row.period * (run.units + run.lost) + slack * row.counted, units = run.units,
        counted = row.counted, run = row.run, samples = row.samples, period = row.period }
end

-- The range { min =, max = } common to of(interval) for all intervals; nil if it is empty. `max` itself is excluded.
local function common(intervals, of)
    local least, most = -math.huge, math.huge
    for _, interval in ipairs(intervals) do
        local low, high = of(interval)
        least, most = math.max(least, low), math.min(most, high)
    end
    return least < most and { min = least, max = most } or nil
end

local function factor_of(interval)
    return interval.min / interval.counted, interval.max / interval.counted
end

local function offset_of(interval)
    return (interval.min - interval.counted) / interval.units, (interval.max - interval.counted) / interval.units
end

local function holds(interval, value)
    return interval and value >= interval.min and value < interval.max
end

local function each_run_fits(intervals)
    return lists.all(lists.group(intervals, "run"), function(list) return common(list, factor_of) end)
end

local function is_missing(intervals)
    return lists.all(intervals, function(interval) return interval.samples == 0 end)
        and lists.any(intervals, function(interval) return interval.counted >= interval.period * interval.units end)
end

-- Does each run have a period whose samples fall where the event happens, or that has no samples?
local function is_placed(rows)
    return lists.all(lists.group(rows, "run"), function(of_run)
        return lists.any(of_run, function(row) return not row.beyond end)
    end)
end

-- Intervals of runs in which the event happened, and rows -> class, factor, offset.
local function classify(intervals, rows)
    local factor, offset = common(intervals, factor_of), common(intervals, offset_of)
    if #intervals == 0 then
        return "unknown"
    elseif is_missing(intervals) then
        return "missing"
    elseif holds(factor, 1) then
        return "exact", factor
    elseif factor then
        return "multiplicative", factor
    elseif offset then
        return "bias", nil, offset
    end
    return each_run_fits(intervals) and (is_placed(rows) and "random" or "other") or "unknown"
end

-- ---- all results of an event

-- Number of events per round, if it is constant.
local function round_of(runs, number)
    local first, found = runs[1], nil
    for i = 2, #runs do
        local more = (runs[i].totals[number] - first.totals[number]) / (runs[i].rounds - first.rounds)
        if more <= 0 or found and found ~= more then
            return nil
        end
        found = more
    end
    return found and math.tointeger(found)
end

local function check_happened(run, number, sums)
    if sums.happened and run.unfinished == 0 and sums.happened ~= run.totals[number] then
        error(("the engine's samples and the node's counters disagree: %d and %d events; please report it"):format(sums.happened,
            run.totals[number]), 0)
    end
end

local function compare_closed(known, one)
    for _, entry in ipairs(known) do
        if entry.closed == entry.counted then
            one.closed = one.closed + 1
        elseif entry.closed then
            one.differing[#one.differing + 1] = { ["function"] = entry.name, code = entry.closed, counted = entry.counted }
        end
    end
end

local function list_functions(known, periods, all)
    return array(lists.map(lists.first(known, FUNCTIONS), function(one)
        local estimates = array(lists.map(periods, function(period, k) return one.samples[k] * period end))
        return { ["function"] = one.name, counted = one.counted, share_pct = all > 0 and 100 * one.counted / all or 0,
            estimates = estimates }
    end))
end

local function judge_event(argument, number, slack)
    local planned, runs = argument.plan.events[number], argument.runs
    local one = { event = planned.event, said = planned.said, rows = array(), functions = array(), closed = 0, differing = array() }
    one.reason = runs[1].obstacles[number]
    if one.reason then
        one.class = "absent"
        return one
    end
    one.round = runs[1].rounds and round_of(runs, number)
    local intervals = {}
    for index, run in ipairs(runs) do
        local known, sums = functions_of(argument, run, number)
        local counted = run.totals[number]
        check_happened(run, number, sums)
        compare_closed(known, one)
        for i, period in ipairs(argument.plan.periods) do
            local row = make_row(run, index, counted, known, sums[i], i, period, one.round)
            one.rows[#one.rows + 1] = row
            intervals[#intervals + 1] = counted > 0 and shown(row, run, slack) or nil
        end
        one.functions = list_functions(known, argument.plan.periods, counted)
    end
    one.class, one.factor, one.offset = classify(intervals, one.rows)
    return one
end

-- Raises a line if no event could be sampled.
local function check_some(events)
    if lists.all(events, "reason") then
        error(("%s cannot be sampled: %s; likwid-perfctr -e lists others"):format(events[1].event, events[1].reason), 0)
    end
end

function sampling.find(argument)
    local events = array(lists.map(argument.plan.events, function(_, number)
        return judge_event(argument, number, argument.plan.native and NATIVE_SLACK or 0)
    end))
    check_some(events)
    return { events = events, periods = array(argument.plan.periods), lost = lists.sum(argument.runs, "lost"),
        unfinished = lists.sum(argument.runs, "unfinished"), disagrees = lists.any(events, function(one) return #one.differing > 0 end) }
end

return sampling
