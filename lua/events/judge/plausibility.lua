-- plausibility.lua - tests if cycles are a sum of a cost per instruction and a cost per miss of caches, TLBs and branch predictor.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- cycles = instructions * a + misses * b. The costs a, b.. are fitted to all points of the probes: least squares of errors relative to
-- each point's cycles. Each point is then predicted with costs fitted to the other points, which shows how good the fit is. A virtual
-- node states its costs (docs/time.md), and the fit must find them. On silicon latencies overlap, so costs are not latencies; the result
-- there says how well a sum describes cycles.
local array = require "input.array"
local concepts = require "input.concepts"
local equations = require "numeric.equations"
local group_file = require "input.group"
local lists = require "input.lists"
local rows = require "events.judge.rows"

local plausibility = {}

local SHARP, LITTLE = 0.05, 0.005 -- largest relative width of a known amount; and in units of the point's instructions

-- Costs: events in concepts, and the field of the virtual node's description that states the cost.
local COSTS = {
    { text = "an instruction", of = { "instructions" },
        stated = function(machine) return 4 / machine.processor.instructions_per_cycle_x4 end },
    { text = "a line from L2", of = { "data reads in L2", "ownership in L2", "instruction reads in L2" }, level = "L2" },
    { text = "a line from L3", of = { "data reads in L3 alone", "data reads of lines clean elsewhere",
        "data reads of lines modified elsewhere", "ownership in L3 alone", "instruction reads in L3" }, level = "L3" },
    { text = "a line from memory", of = { "data reads from memory", "ownership from memory", "instruction reads from memory" },
        stated = function(machine) return machine.processor.memory_latency end },
    { text = "a non-temporal line", of = { "lines past the caches" },
        stated = function(machine) return machine.processor.memory_latency end },
    { text = "a page walk", of = { "page walks of loads", "page walks of stores", "page walks of large loads", "page walks of large stores",
        "page walks of instructions" }, stated = function(machine) return machine.processor.walk_latency end },
    { text = "a misprediction", of = { "mispredicted branches" }, stated = function(machine) return machine.processor.branch_penalty end },
}
-- Costs that no event counts separately: points that have them are left out.
local OTHERS = { "locked loads", "split loads", "split stores", "blocked loads", "aliased loads", "divisions",
    "wide divisions" }

local function terms_of(names)
    local terms = {}
    for _, name in ipairs(names) do
        terms[name] = 1
    end
    return terms
end

-- The event that the groups use as cycles in cycles per instruction; nil if it is not in the survey.
local function clock_of(argument)
    for _, name in ipairs(lists.sorted(argument.groups)) do
        local metric = group_file.metric(argument.groups[name], "CPI")
        for _, event in ipairs(metric and group_file.events_of(argument.groups[name], metric) or {}) do
            local said = concepts.said_of(argument.said, event)
            for _, finding in ipairs((said and said.text == "instructions") and {} or argument.findings) do
                if finding.event == event.event and finding.slopes then
                    return finding
                end
            end
        end
    end
    return nil
end

local function are_same(terms, other)
    local names = lists.joined(lists.sorted(terms), lists.sorted(other))
    return lists.all(names, function(name) return terms[name] == other[name] end)
end

-- Amount of the terms per pass of the row: known, or counted by an event that counts exactly that; nil if neither.
local function amount(argument, number, terms)
    local row = argument.plan.rows[number]
    local known = rows.expected(row, terms)
    local little = LITTLE * rows.expected(row, { instructions = 1 }).value
    if known and known.max - known.min <= SHARP * math.abs(known.value) + little then
        return math.max(0, known.value)
    end
    local exact = lists.find(argument.findings, function(finding)
        local said = finding.class == "exact" and concepts.said_of(argument.said, finding)
        return said and #finding.slopes > 0 and are_same(terms, said.terms)
    end)
    return exact and math.max(0, exact.slopes[number])
end

-- Points with known amounts: { amounts by number of the cost, cycles }.
local function points_of(argument, clock)
    return lists.collect(argument.plan.rows, function(row, number)
        local point = { cycles = clock.slopes[number], amounts = {}, title = row.title }
        local is_known = point.cycles > 0 and lists.all(OTHERS, function(name)
            local found = rows.expected(row, terms_of { name })
            return found and found.max <= 2 * rows.slack(row)
        end)
        for i, cost in ipairs(is_known and COSTS or {}) do
            point.amounts[i] = amount(argument, number, terms_of(cost.of))
            is_known = is_known and point.amounts[i] ~= nil
        end
        return is_known and point or nil
    end)
end

-- Numbers of the costs that occur in at least one point.
local function present(points)
    return lists.collect(COSTS, function(_, i)
        return lists.any(points, function(point) return point.amounts[i] > 0 end) and i
    end)
end

-- The value of each listed cost, fitted to all points except `but` |nil; nil if the points do not determine them.
local function solve(points, list, but)
    local matrix, right = {}, {}
    for a, i in ipairs(list) do
        matrix[a], right[a] = {}, 0
        for b in ipairs(list) do
            matrix[a][b] = 0
        end
        for _, point in ipairs(points) do
            local share = point ~= but and point.amounts[i] / point.cycles or 0
            right[a] = right[a] + share
            for b, k in ipairs(list) do
                matrix[a][b] = matrix[a][b] + share * point.amounts[k] / point.cycles
            end
        end
    end
    return equations.solve(matrix, right)
end

local function worst_error(points, list)
    local worst, count = nil, 0
    for _, point in ipairs(points) do
        local costs = solve(points, list, point)
        if costs then
            local sum = lists.sum(list, function(i, a) return point.amounts[i] * costs[a] end)
            worst, count = rows.worse(worst, 100 * (sum - point.cycles) / point.cycles), count + 1
        end
    end
    return worst, count
end

-- The cost that the virtual node states; nil on silicon.
local function stated(argument, cost)
    if argument.node.kind ~= "virtual" then
        return nil
    end
    local level = lists.find(argument.machine.levels or {}, function(one) return one.name == cost.level end)
    return level and level.latency or cost.stated and cost.stated(argument.machine)
end

-- { plan = events.make(), findings = events.find(), said =, groups =, machine =, node = } -> { event = of the cycles, costs = array of
-- { text =, cycles =, stated = |nil }, for costs that occur, points = number, predicted = number predicted from the others, error_pct
-- = largest error of these }; { } if no event of cycles was surveyed or too few points are known.
function plausibility.find(argument)
    local clock = clock_of(argument)
    local points = clock and points_of(argument, clock) or {}
    local list = present(points)
    local costs = #points > #list and solve(points, list)
    if not costs then
        return {}
    end
    local worst, count = worst_error(points, list)
    local told = array(lists.map(list, function(i, a)
        return { text = COSTS[i].text, cycles = costs[a], stated = stated(argument, COSTS[i]) }
    end))
    return { event = clock.event, costs = told, points = #points, predicted = count, error_pct = worst }
end

return plausibility
