-- discovery.lua - finds, for each quantity of the groups, the fewest events of the node whose counts show it; event names are ignored.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- The groups' formulas define a quantity in concepts (quantities.lua). What events count follows from their counts over all probes, as
-- for `assay events`. Weights are fitted to two of three rows and must hold for all. The reported error is that of the remaining third.
--
-- A finding is { quantity = the metric's name, name = of a group, group =, unit = |nil, terms = text, events = array of { event =,
-- options =, weight =, aliases = keys of events with the same counts } |nil, error_pct = largest error of the rows that were left out
-- |nil, rows = number of rows with some of the quantity, left_out = number of these left out |nil, ours = "same" | "right" | "wrong" |
-- nil (what the group's own events count here is not known), file = a group file |nil, reason = why there is none |nil }.
local array = require "input.array"
local checks = require "events.discovery.checks"
local composition = require "events.discovery.composition"
local event_counters = require "plan.event_counters"
local event_set = require "events.plan.event_set"
local events = require "events.judge.events"
local group_file = require "input.group"
local identify = require "events.judge.identify"
local lists = require "input.lists"
local pack = require "plan.pack"
local quantities = require "events.discovery.quantities"
local stats = require "numeric.stats"
local sums = require "events.discovery.sums"

local discovery = {}

local TOLERANCE = 0.01 -- as in identify.lua
local LEFT_OUT = 3 -- every third row

-- Are the slopes equal within the rows' slacks?
local function are_alike(one, other, slacks)
    return not lists.any(one, function(slope, row)
        return math.abs(slope - other[row]) > 2 * slacks[row] + TOLERANCE * math.abs(slope)
    end)
end

-- Distinct counts, each with all events that have it: array of { event = the plan's event with the fewest counters, slopes =, cost =,
-- is_core = counted per core, aliases = }.
local function distinct(argument, made)
    local columns = array()
    for i, event in ipairs(argument.plan.events) do
        local finding = argument.findings[i]
        local slopes = finding.class ~= "random" and finding.slopes
        local alike = not slopes or identify.is_nothing(slopes, made.slacks)
        local is_core = events.is_core(event)
        for _, column in ipairs(alike and {} or columns) do
            if column.is_core == is_core and are_alike(slopes, column.slopes, made.slacks) then
                column.aliases[#column.aliases + 1] = group_file.key(event)
                alike = true
                if #event.counters < column.cost then
                    column.event, column.cost, column.slopes = event, #event.counters, slopes
                end
            end
        end
        if not alike then
            columns[#columns + 1] = { event = event, slopes = slopes, cost = #event.counters, is_core = is_core,
                aliases = array { group_file.key(event) } }
        end
    end
    return columns
end

-- Rows with known amounts of the quantity: array of { row =, value =, off = tolerance, is_left_out = }; the number with a nonzero amount.
local function rows_of(expected, made)
    local known, seen = {}, 0
    for row, one in ipairs(expected) do
        if one then
            local is_some = one.min > 10 * made.slacks[row]
            seen = seen + (is_some and 1 or 0)
            known[#known + 1] = { row = row, value = one.value, off = made.slacks[row] + TOLERANCE * one.value + (one.max - one.min) / 2,
                is_some = is_some, is_left_out = is_some and seen % LEFT_OUT == 0 }
        end
    end
    return known, seen
end

local function worst_left_out(added, known, expected)
    local worst, count = nil, 0
    for _, one in ipairs(known) do
        if one.is_left_out then
            local interval = expected[one.row]
            local nearest = math.max(interval.min, math.min(interval.max, added[one.row]))
            local percent = 100 * (added[one.row] - nearest) / nearest
            count = count + 1
            worst = (not worst or math.abs(percent) > math.abs(worst)) and percent or worst
        end
    end
    return worst, count
end

-- Does the group's own formula show the quantity on this node?
local function judge_ours(argument, quantity, expected, slacks)
    local slopes, weights = {}, {}
    for i, event in ipairs(argument.plan.events) do
        local weight = quantity.events[group_file.key(event)]
        if weight and weight ~= 0 then
            if not argument.findings[i].slopes then
                return nil
            end
            slopes[#slopes + 1], weights[#weights + 1] = argument.findings[i].slopes, weight
        end
    end
    return #slopes > 0 and (sums.are_right(slopes, weights, expected, slacks) and "right" or "wrong") or nil
end

local function is_same(quantity, chosen)
    local weights = quantity.events
    local own = lists.filter(lists.sorted(weights), function(event) return weights[event] ~= 0 end)
    return #own == #chosen and lists.all(own, function(event)
        return lists.any(chosen, function(one) return one.weight == weights[event] and lists.contains(one.aliases, event) end)
    end)
end

-- The group file of a finding; nil and the reason if its events do not fit into one run.
local function write_group(finding, quantity, chosen, machine)
    local groups = array(lists.map(chosen, function(one) return event_set.as_group(one.source) end))
    local runs = pack.runs { groups = groups, machine = machine }
    if #runs ~= 1 then
        return nil, ("its events need %d runs"):format(#runs)
    end
    local lines, added = { ("SHORT %s, found by counts"):format(finding.quantity), "", "EVENTSET" }, {}
    for i, one in ipairs(chosen) do
        local counter_of = runs[1].counters[one.source.name]
        local names = stats.sorted(lists.map(lists.sorted(counter_of), function(name) return counter_of[name] end))
        lists.append(lines, names, function(name) return ("%s %s"):format(name, one.event) end)
        local counters = #names == 1 and names[1] or ("(%s)"):format(table.concat(names, "+"))
        added[i] = one.weight == 1 and counters or ("%g*%s"):format(one.weight, counters)
    end
    local unit = quantity.unit and (" [%s]"):format(quantity.unit) or ""
    local formula = quantity.scale == 1 and table.concat(added, "+") or ("%.10g*(%s)"):format(quantity.scale, table.concat(added, "+"))
    lists.append(lines, { "", "METRICS", "Runtime (RDTSC) [s] time",
        ("%s%s %s"):format(finding.quantity, unit, formula:gsub("%+%-", "-")), "", "LONG", ("Shows: %s."):format(finding.terms),
        ("Evidence: counts are right at all points of the probes, %d of them with some of it."):format(finding.rows) })
    lines[#lines + 1] = finding.error_pct
        and ("%d of these were not used to find it: worst error %.3g %%."):format(finding.left_out, finding.error_pct) or nil
    return table.concat(lines, "\n") .. "\n"
end

-- A name for the quantity's group file that is not in `used`.
local function name_of(quantity, used)
    local name = "FOUND_" .. quantity.name:upper():gsub("[^A-Z0-9]+", "_")
    name = used[name] and name .. "_" .. quantity.group or name
    used[name] = true
    return name
end

local function find_one(argument, made, all, quantity, machine, used)
    local finding = { quantity = quantity.name, name = name_of(quantity, used), group = quantity.group, unit = quantity.unit,
        terms = sums.words(quantity.terms) }
    local expected = made.expect(quantity.terms)
    local known, seen = rows_of(expected, made)
    finding.rows, finding.ours = seen, judge_ours(argument, quantity, expected, made.slacks)
    if seen == 0 then
        finding.reason = "no probe causes it"
        return finding
    end
    -- Counts shared by cores say nothing about one core.
    local wanted, columns = {}, lists.filter(all, function(column) return column.is_core == quantity.is_core end)
    local scaled = lists.map(columns, function(column) return { values = {}, cost = column.cost } end)
    for _, one in ipairs(known) do
        if not one.is_left_out then
            wanted[#wanted + 1] = one.value / one.off
            for i, column in ipairs(columns) do
                scaled[i].values[#wanted] = column.slopes[one.row] / one.off
            end
        end
    end
    local function slopes_of(chosen)
        return lists.map(chosen, function(number) return columns[number].slopes end)
    end
    local found = composition.find(scaled, wanted, function(chosen, weights)
        return sums.are_right(slopes_of(chosen), weights, expected, made.slacks)
    end)
    if not found then
        finding.reason = "no sum of up to three events shows it"
        return finding
    end
    finding.events = array()
    for i, number in ipairs(found.chosen) do
        local column = columns[number]
        finding.events[i] = { event = column.event.event, options = column.event.options, weight = found.weights[i],
            aliases = column.aliases, source = column.event }
    end
    finding.error_pct, finding.left_out = worst_left_out((sums.of(slopes_of(found.chosen), found.weights, #made.slacks)), known, expected)
    finding.ours = is_same(quantity, finding.events) and "same" or finding.ours
    finding.file, finding.reason = write_group(finding, quantity, finding.events, machine)
    for _, one in ipairs(finding.events) do
        one.source = nil
    end
    return finding
end

-- { plan = plan.events.make(), results =, reps =, concepts =, said =, machine =, node =, groups =, list = as there } -> { found = array
-- of findings, unknown = array of { name =, group =, reason = }: metrics without a documented meaning, events = number of events with
-- values, distinct = number of different counts among them }. With checked = { [name] = user's group } and names = other names of
-- metrics, also checked = checks.lua's findings; found then has only the quantities of these groups.
function discovery.find(argument)
    argument.findings = events.find(argument)
    local made = events.surveys(argument)
    local columns = distinct(argument, made[true])
    local _, only = event_set.choose { groups = argument.groups, machine = argument.machine, node = argument.node, list = argument.list,
        events = {}, all = true }
    local machine = event_counters.bound(argument.machine, only)
    local wanted, unknown = quantities.list(argument)
    local checked
    if argument.checked then
        checked, wanted = checks.find(argument, made, wanted)
    end
    local used = {}
    local found = array(lists.map(wanted, function(quantity)
        return find_one(argument, made[quantity.is_core], columns, quantity, machine, used)
    end))
    return { found = found, unknown = unknown, checked = checked, events = lists.count(argument.findings, "slopes"), distinct = #columns }
end

return discovery
