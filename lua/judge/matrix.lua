-- matrix.lua - applies every signature to every control, and finds the wrong counters that change a diagnosis.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- matrix.make{ patterns =, plans = (of the patterns, in their order), results = (assess.lua), counts = (counts.lua), machine =, node =,
-- groups = fitted to the node, reps =, virtual = bool: virtual node, disturbed = set of the ids of disturbed runs (witness.lua) |nil }
-- -> the record's `matrix`:
--   signatures  array of { pattern =, title =, why = the reason why it cannot give an answer here |nil, tests = array of { quantity =,
--               plus =, per = (each { group =, metric =, name = }), spread =, against = (input/schema.lua), why = |nil, domain = { kind =,
--               arch =, threads = |nil, most = |nil }, and the fields of threshold.between's result, if any } }
--   no_signature  array of names of patterns without a signature; they are rows if they have controls
--   cells       one for each control of each pattern and each signature that can give an answer: array of { pattern =, control =,
--               signature =, present =, absent =, cannot_say = numbers of regions, rate = of present ones, low =, high =, n = (stats.rate),
--               declared = the reason |nil, word =, held_out = { n =, told = } }. held_out, for own controls: each region is judged with
--               thresholds derived without its point. n = regions for which such thresholds exist, told = regions judged right.
--               Words:
--     told          own pattern: in all regions the answer is the control
--     not told      own pattern: some region has another answer
--     dark          other pattern: no region is called present
--     declared      other pattern: some are, and the signature's pattern declares that (`also`)
--     undeclared    other pattern: some are, and it is not declared: a finding
--     never seen    other pattern: declared, but no region is called present
--   flips       for each event of each signature: array of { signature =, event =, changes = array of { factor =, n =, cannot_say =,
--               wrong = }, lost =, wrong = (each { down =, up = }) }.
--     changes       of the n right verdicts on the pattern's own controls, how many become `cannot_say` or `wrong` when the event's
--                   counts are scaled by `factor` (0: stuck)
--     lost, wrong   the factors nearest to 1, below and above, at which a region is no longer judged right, or judged wrong. Absent if
--                   no factor between 1 / FARTHEST and FARTHEST does that
local array = require "input.array"
local companions = require "plan.companions"
local controls = require "plan.controls"
local lists = require "input.lists"
local plan_signature = require "plan.signature"
local signature = require "judge.signature"
local stats = require "numeric.stats"

local matrix = {}

local FACTORS = { 0.5, 0.8, 1.25, 2, 0 } -- of a wrong counter's counts; 0: stuck
local FARTHEST = 1000
local STEPS = 12 -- of bisection: precision of a factor is FARTHEST ^ (1 / 2 ^ STEPS), 0.2 %

-- Did a repetition of a job give results, and did nothing disturb it? A region's counts come from all runs of its repetition.
local function is_measured(argument, job, rep)
    local first = job.runs[1] and argument.results[companions.run_id(job, job.runs[1], rep)]
    return first and first.regions and not lists.any(job.runs, function(run)
        return argument.disturbed and argument.disturbed[companions.run_id(job, run, rep)]
    end)
end

-- Regions of all controls whose runs gave results, by pattern.
local function find_regions(argument)
    local regions = {}
    for index, pattern in ipairs(argument.patterns) do
        regions[pattern.name] = {}
        for _, job in ipairs(argument.plans[index].jobs) do
            for _, point in ipairs(job.points) do
                local control = controls.which(pattern, { code = point.code, level = job.level, placement = job.placement })
                for rep = 1, control and argument.reps or 0 do
                    if is_measured(argument, job, rep) then
                        table.insert(regions[pattern.name], { pattern = pattern.name, code = point.code, control = control,
                            point = point.region, rep = rep, cpus = job.cpus })
                    end
                end
            end
        end
    end
    return regions
end

local function name_of(quantity)
    return quantity and { group = quantity.group, metric = quantity.of or quantity.metric, name = quantity.name } or nil
end

local function describe_test(test, found, argument)
    local entry = lists.merge({ quantity = name_of(test.quantity), plus = name_of(test.plus), per = name_of(test.per),
        spread = test.spread, against = test.against, why = test.why }, found)
    entry.domain = lists.merge({ kind = argument.virtual and "virtual" or "native", arch = argument.machine.arch }, found and found.domain)
    return entry
end

-- Adds the plan's reason to tests whose quantity this node cannot show.
local function add_skipped(tests, plan)
    for _, test in ipairs(tests) do
        local found = test.quantity and lists.find(plan.skipped, function(skipped) return skipped.quantity == test.quantity.name end)
        test.skipped = found and found.reason
    end
end

-- The reason why no region can be called present; nil if there is none.
local function why_not(tests, thresholds)
    for number, test in ipairs(tests) do
        local found = thresholds[number]
        local why = test.why
            or not found and "its controls did not run here"
            or not found.value and (test.skipped or "its controls are not clearly apart")
        if why then
            return why
        end
    end
    return nil
end

-- A pattern's signature with thresholds from its own controls.
local function make_signature(argument, context, pattern, plan, regions)
    local tests = plan_signature.of { pattern = pattern, machine = argument.machine, groups = argument.groups }
    add_skipped(tests, plan)
    local thresholds = signature.thresholds(context, tests, pattern, regions)
    local entry = { pattern = pattern.name, title = pattern.title, why = why_not(tests, thresholds),
        tests = array(lists.map(tests, function(test, number) return describe_test(test, thresholds[number], argument) end)) }
    return { pattern = pattern, tests = tests, thresholds = thresholds, entry = entry }
end

-- Judges regions of an own control with thresholds from the other points.
local function hold_out(context, one, regions, control)
    local found, without = { n = 0, told = 0 }, {}
    for _, region in ipairs(regions) do
        if region.control == control then
            local less = without[region.point] or signature.thresholds(context, one.tests, one.pattern, regions, region.point)
            without[region.point] = less
            if not why_not(one.tests, less) then
                local is_told = signature.answer(context, one.tests, less, region) == control
                found.n, found.told = found.n + 1, found.told + (is_told and 1 or 0)
            end
        end
    end
    return found
end

local function declared_of(pattern, row, control)
    local found = lists.find(pattern.also or {}, function(also)
        return also.pattern == row and (also.control or control) == control
    end)
    return found and found.reason
end

local function word_of(cell, is_own)
    local lit = cell.present > 0
    if is_own then
        return cell[cell.control] == cell.n and "told" or "not told"
    elseif lit then
        return cell.declared and "declared" or "undeclared"
    end
    return cell.declared and "never seen" or "dark"
end

local function make_cell(context, one, row, control, regions)
    local numbers = { present = 0, absent = 0, ["cannot say"] = 0 }
    for _, region in ipairs(regions[row]) do
        if region.control == control then
            local answer = signature.answer(context, one.tests, one.thresholds, region)
            numbers[answer] = numbers[answer] + 1
        end
    end
    local cell = stats.rate(numbers.present, numbers.present + numbers.absent + numbers["cannot say"])
    if not cell then
        return nil
    end
    cell.pattern, cell.control, cell.signature = row, control, one.pattern.name
    cell.present, cell.absent, cell.cannot_say = numbers.present, numbers.absent, numbers["cannot say"]
    local is_own = row == one.pattern.name
    cell.declared = declared_of(one.pattern, row, control)
    cell.word = word_of(cell, is_own)
    cell.held_out = is_own and hold_out(context, one, regions[row], control) or nil
    return cell
end

-- How many rightly judged regions change their answer if the event's counts are scaled by `factor`?
local function change(context, one, told, event, factor)
    local entry = { factor = factor, n = #told, cannot_say = 0, wrong = 0 }
    for _, region in ipairs(told) do
        local answer = signature.answer(context, one.tests, one.thresholds, region, { event = event, factor = factor })
        if answer == "cannot say" then
            entry.cannot_say = entry.cannot_say + 1
        elseif answer ~= region.control then
            entry.wrong = entry.wrong + 1
        end
    end
    return entry
end

-- Bisects the exponent, assuming that an answer changed by a factor is also changed by any factor farther from 1.
local function first_change(context, one, told, event, key)
    local function changes(exponent)
        local entry = change(context, one, told, event, FARTHEST ^ exponent)
        return (key == "wrong" and 0 or entry.cannot_say) + entry.wrong > 0
    end
    local found = {}
    for direction, sign in pairs { down = -1, up = 1 } do
        local right, wrong, is_there = 0, sign, changes(sign)
        for _ = 1, is_there and STEPS or 0 do
            local middle = (right + wrong) / 2
            if changes(middle) then
                wrong = middle
            else
                right = middle
            end
        end
        found[direction] = is_there and FARTHEST ^ wrong or nil
    end
    return found
end

local function add_flips(flips, context, one, regions)
    local told = lists.filter(regions, function(region)
        return signature.answer(context, one.tests, one.thresholds, region) == region.control
    end)
    for _, event in ipairs(signature.events(context, one.tests)) do
        flips[#flips + 1] = {
            signature = one.pattern.name,
            event = event,
            changes = array(lists.map(FACTORS, function(factor) return change(context, one, told, event, factor) end)),
            lost = first_change(context, one, told, event, "lost"),
            wrong = first_change(context, one, told, event, "wrong"),
        }
    end
end

function matrix.make(argument)
    local context, regions = signature.context(argument), find_regions(argument)
    local found = { signatures = array(), no_signature = array(), cells = array(), flips = array() }
    for index, pattern in ipairs(argument.patterns) do
        local one = make_signature(argument, context, pattern, argument.plans[index], regions[pattern.name])
        if #one.tests > 0 then
            found.signatures[#found.signatures + 1] = one.entry
        else
            found.no_signature[#found.no_signature + 1] = pattern.name
        end
        if #one.tests > 0 and not one.entry.why then
            for _, row in ipairs(argument.patterns) do
                for _, control in ipairs(controls.NAMES) do
                    found.cells[#found.cells + 1] = make_cell(context, one, row.name, control, regions)
                end
            end
            add_flips(found.flips, context, one, regions[pattern.name])
        end
    end
    return found
end

return matrix
