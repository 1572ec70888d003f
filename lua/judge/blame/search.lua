-- search.lua - finds the cheapest sets of hypotheses that explain something, and groups items that must be explained together.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- If a set does not explain, some items contradict each other. Any larger set that explains them must contain a hypothesis about these
-- items. So a set grows by such hypotheses only, and the cheapest set is tried first. All sets of the least cost are answers. A
-- hypothesis is a table with a unique `key` and a `cost`.
local lists = require "input.lists"
local stats = require "numeric.stats"

local search = {}

local COST_SAME = 0.05

-- A key that does not depend on the order of the hypotheses.
function search.key_of(set)
    return table.concat(lists.sorted(lists.set(set, "key")), "\n")
end

-- Sum of the costs of a set's hypotheses.
function search.cost_of(set)
    return lists.sum(set, "cost")
end

local function is_before(one, two)
    if math.abs(one.cost - two.cost) >= 1e-9 then
        return one.cost < two.cost
    end
    return one.number < two.number
end

-- Removes the cheapest set from the queue, the oldest if several cost the same; nil if none costs at most `most`.
local function take_cheapest(queue, most)
    local least = 1
    for i, entry in ipairs(queue) do
        least = is_before(entry, queue[least]) and i or least
    end
    return queue[least] and queue[least].cost <= most and table.remove(queue, least) or nil
end

-- The answers of the least cost, sorted by key.
local function cheapest(answers)
    local least = stats.range(lists.map(answers, "cost"))
    local kept = lists.filter(answers, function(answer) return answer.cost <= least + COST_SAME end)
    table.sort(kept, function(a, b) return search.key_of(a.set) < search.key_of(b.set) end)
    return kept
end

-- Array of the answers found whose cost is at most COST_SAME above the lowest; empty if none was found within the limits. problem:
--   try(set) -> an answer { set =, cost = at least the set's } |nil, and hypotheses |nil: a larger answer contains one of them
--   fits(set, hypothesis) -> may the hypothesis be added?
--   sets, cost = limits: number of sets tried, cost that may be added to `first`
--   first = hypotheses in all sets |nil: none, found = answers known before |nil
function search.cheapest(problem)
    local first = problem.first or {}
    local queue, visited, answers, made, most = {}, {}, {}, 0, search.cost_of(first) + problem.cost
    local function add(set)
        local key, cost = search.key_of(set), search.cost_of(set)
        if not visited[key] and cost <= most then
            made, visited[key] = made + 1, true
            queue[#queue + 1] = { set = set, cost = cost, number = made }
        end
    end
    local function accept(answer)
        answers[#answers + 1], most = answer, math.min(most, answer.cost + COST_SAME)
    end
    for _, same in ipairs((lists.group(problem.found or {}, function(answer) return search.key_of(answer.set) end))) do
        visited[search.key_of(same[1].set)] = true
        accept(same[1])
    end
    add(first)
    local entry, tried = take_cheapest(queue, most), 0
    while entry and tried < problem.sets do
        local answer, more = problem.try(entry.set)
        if answer then
            accept(answer)
        end
        for _, one in ipairs(more or {}) do
            if problem.fits(entry.set, one) then
                add(lists.joined(entry.set, { one }))
            end
        end
        entry, tried = take_cheapest(queue, most), tried + 1
    end
    return cheapest(answers)
end

-- The hypotheses that all answers have in common.
function search.common(answers)
    return lists.filter(answers[1] and answers[1].set or {}, function(one)
        return not lists.find(answers, function(answer) return not lists.contains(answer.set, one) end)
    end)
end

-- Components of items linked by keys, directly or indirectly: array of arrays. keys_of(item) -> array of keys, not empty.
function search.components(list, keys_of)
    local parent = {}
    local function root(key)
        while parent[key] ~= key do
            key = parent[key]
        end
        return key
    end
    for _, item in ipairs(list) do
        local keys = keys_of(item)
        for _, key in ipairs(keys) do
            parent[key] = parent[key] or key
            parent[root(key)] = root(keys[1])
        end
    end
    return (lists.group(list, function(item) return root(keys_of(item)[1]) end))
end

return search
