-- assess.lua - replaces lua/judge/assess.lua in run.lua's campaign: judges its counts again, with one event made wrong at a time.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Every event of the campaign's runs is made wrong in every way of FAULTS, on all its counters and in all regions. $REPLAY_OUT gets a
-- line for each, tab-separated:
--     EVENT  FAULT  WORD  WHAT
--     named      the first line of blame names this event alone, and the injected kind or constants (1 %, or in the interval)
--     unknown    it says that no constants explain it, or names equally good causes, one of them this event
--     unseen     nothing is blamed, and no value of a validated metric changes by more than must be detected: no metric uses the event,
--                or only metrics with expected value 0 do, or the fault does not change their counts
--     partly     the first line of blame names the event, with other constants than the injected ones
--     missed     nothing is blamed, although a value changes by more than that
--     misnamed   a line names causes, none of them this event alone
-- WHAT: the lines of blame, with " | " between.
local companions = require "plan.companions"
local group_file = require "input.group"
local lists = require "input.lists"
local vocabulary = require "judge.vocabulary"
local real = dofile(os.getenv "REPLAY_ROOT" .. "/lua/judge/assess.lua")

local assess = {}

local CLOSE = 0.01 -- relative error of blamed constants
local EVERY = 5 -- one of EVERY counts is lost

-- A normally distributed number.
local function normal()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- change(count, at) -> the faulty count; at = { usual = geometric mean of median and maximum, middle = median, number = of the count }.
-- factor, offset (in units of `usual`): the constants of the fault; nil if it has none.
local FAULTS = {
    { name = "scale 0.6", factor = 0.6 },
    { name = "scale 1.05", factor = 1.05 },
    { name = "scale 3", factor = 3 },
    { name = "add", factor = 1, offset = 1 },
    { name = "scale 1.2 and add", factor = 1.2, offset = 0.5 },
    { name = "stuck", silent = true, change = function() return 0 end },
    { name = "jitter 0.2", change = function(count) return math.max(0, count * (1 + 0.2 * normal())) end },
    { name = "jitter 0.02 and scale 1.5", change = function(count) return math.max(0, 1.5 * count * (1 + 0.02 * normal())) end },
    { name = "saturates", change = function(count, at) return math.min(count, at.middle) end },
    { name = "lost at times", change = function(count, at) return at.number % EVERY == 1 and 0 or count end },
}

local function show(fault, count, at)
    if fault.change then
        return math.floor(fault.change(count, at))
    end
    return math.floor(fault.factor * count + (fault.offset or 0) * at.usual)
end

-- Calls visit(event, row, its count's name, result) for all counts of all runs.
local function each_count(argument, visit)
    for _, planned in ipairs(argument.plans) do
        for job, run in companions.runs(planned) do
            local result = argument.results[companions.run_id(job, run, 1)]
            for _, region in ipairs(result and result.regions and lists.sorted(result.regions) or {}) do
                for _, row in ipairs(result.regions[region]) do
                    for _, event in ipairs(run.events) do
                        visit(event, row, group_file.with_options(event.counter, event.options), result)
                    end
                end
            end
        end
    end
end

-- The median and sqrt(median * maximum); 0 without values.
local function survey_of(values)
    table.sort(values)
    local middle, most = values[(#values + 1) // 2] or 0, values[#values] or 0
    return middle, math.floor(math.sqrt(middle * most))
end

-- Events of the runs in order, and { [event] = { middle =, usual = } of its counts that are not 0 }.
local function survey(argument)
    local values = {}
    each_count(argument, function(event, row, name)
        local count = row.counts and row.counts[name]
        values[event.event] = values[event.event] or {}
        if count and count > 0 then
            table.insert(values[event.event], count)
        end
    end)
    local found = {}
    for event, own in pairs(values) do
        local middle, usual = survey_of(own)
        found[event] = { middle = middle, usual = usual }
    end
    return lists.sorted(found), found
end

-- Results with the event's counts changed by the fault; the others are shared.
local function faulty(argument, event, fault, counts)
    local results, copies, number = {}, {}, 0
    lists.merge(results, argument.results)
    each_count(argument, function(counted, row, name, result)
        if counted.event ~= event or not row.counts or not row.counts[name] then
            return
        end
        local copy = copies[result]
        if not copy then
            copy = setmetatable({ regions = {} }, { __index = result })
            copies[result] = copy
            for region, rows in pairs(result.regions) do
                copy.regions[region] = {}
                for index, one in ipairs(rows) do
                    local own = setmetatable({ counts = {} }, { __index = one })
                    lists.merge(own.counts, one.counts)
                    copy.regions[region][index] = own
                    copies[one] = own
                end
            end
        end
        number = number + 1
        copies[row].counts[name] = show(fault, row.counts[name], { middle = counts.middle, usual = counts.usual, number = number })
    end)
    for id, result in pairs(results) do
        results[id] = copies[result] or result
    end
    return results
end

-- Does `results` replace one of the plan's results?
local function is_touched(argument, plan, results)
    for job, run in companions.runs(plan) do
        local id = companions.run_id(job, run, 1)
        if argument.results[id] ~= results[id] then
            return true
        end
    end
    return false
end

-- The parts of all plans for new `results`; a plan without new ones keeps its part.
local function parts_of(argument, parts, results)
    local again, own = setmetatable({ results = results }, { __index = argument }), {}
    for index, plan in ipairs(argument.plans) do
        own[index] = is_touched(argument, plan, results) and real.part(again, index) or parts[index]
    end
    return own
end

-- Tolerances of the part's validated metrics that expect more than 0; fractions.
local function tolerances(part)
    local found = {}
    for _, metric in ipairs(part.metrics) do
        local is_shown = metric.verdict == "validated" and metric.expected.max > 0
        found[vocabulary.identity(metric)] = is_shown and metric.tolerance_pct / 100 or nil
    end
    return found
end

-- Does a value of a validated metric change by more than twice the tolerance? That must be noticed (docs/verdicts.md).
local function is_noticeable(parts, changed)
    for index, part in ipairs(parts) do
        local own = tolerances(part)
        for i, sample in ipairs(changed[index] ~= part and part.samples or {}) do
            local tolerance, other = own[vocabulary.identity(sample)], changed[index].samples[i].measured
            local is_expected = tolerance and sample.measured and sample.expected and sample.expected.max > 0
            if is_expected and (not other or math.abs(other - sample.measured) > 2 * tolerance * sample.expected.max) then
                return true
            end
        end
    end
    return false
end

-- Do all parts of a cause name this event?
local function is_of(cause, event)
    for _, part in ipairs(cause) do
        if part.event ~= event then
            return false
        end
    end
    return true
end

-- Within 1 %, or within the printed interval `ends`.
local function is_close(value, ends, wanted)
    local is_held = ends ~= nil and ends[1] <= wanted and wanted <= ends[2]
    return value ~= nil and (is_held or math.abs(value - wanted) <= CLOSE * math.abs(wanted))
end

local function is_right(part, fault, usual)
    if fault.silent then
        return part.kind == "silent"
    elseif not fault.factor then
        return part.kind:find "^unsteady" ~= nil
    end
    local offset = (fault.offset or 0) * usual
    return is_close(part.factor or 1, part.factor_ci, fault.factor)
        and (offset == 0 and (part.offset or 0) == 0 or is_close(part.offset, part.offset_ci, offset))
end

-- The subject of a part, without its constants.
local function identity(part)
    return table.concat({ part.kind, part.event or "", part.group or "", part.metric or "", part.code or "" }, " ")
end

local function identities(lines)
    local known = {}
    for _, entry in ipairs(lines) do
        for _, cause in ipairs(entry.causes) do
            for _, part in ipairs(cause) do
                known[identity(part)] = true
            end
        end
    end
    return known
end

-- Was a cause of the entry also blamed without the fault?
local function is_known(entry, known)
    for _, cause in ipairs(entry.causes) do
        local all = true
        for _, part in ipairs(cause) do
            all = all and known[identity(part)]
        end
        if all then
            return true
        end
    end
    return false
end

-- WORD for the lines of blame; `known`: the blame of the campaign without the fault.
local function judge(lines, known, event, fault, usual)
    local first, texts, word = nil, {}, nil
    for _, entry in ipairs(lines) do
        if not is_known(entry, known) then
            local right, all = false, true
            for _, cause in ipairs(entry.causes) do
                right = right or is_of(cause, event)
                all = all and is_of(cause, event)
            end
            word = #entry.causes > 0 and not right and "misnamed" or word
            texts[#texts + 1] = entry.text
            first = first or { entry = entry, all = all and #entry.causes > 0 }
        end
    end
    local part = first and first.all and first.entry.causes[1][1]
    if part and not word then
        word = is_right(part, fault, usual) and "named" or part.kind:find "^unsteady" and "unknown" or "partly"
    end
    return word or first and "unknown", table.concat(texts, " | ")
end

function assess.all(argument)
    local found, parts = real.all(argument), {}
    for index in ipairs(argument.plans) do
        parts[index] = real.part(argument, index)
    end
    local known, out = identities(found.blame), assert(io.open(os.getenv "REPLAY_OUT", "w"))
    local only = os.getenv "REPLAY_EVENT"
    math.randomseed(1)
    local events, counts = survey(argument)
    for _, event in ipairs(events) do
        local own = counts[event]
        for _, fault in ipairs((not only or event:find(only, 1, true)) and own.usual > 0 and FAULTS or {}) do
            local changed = parts_of(argument, parts, faulty(argument, event, fault, own))
            local word, what = judge(real.whole(argument, changed).blame, known, event, fault, own.usual)
            word = word or (is_noticeable(parts, changed) and "missed" or "unseen")
            out:write(table.concat({ event, fault.name, word, what }, "\t"), "\n")
            out:flush()
        end
    end
    out:close()
    return found
end

return assess
