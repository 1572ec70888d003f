-- linted.lua - a group file as the rules see it. SPDX-License-Identifier: GPL-3.0-or-later
--
-- group.parse_noting's result, or that of a reader of other files (lint/readers/), and: file, arch = name of its folder, words = how its
-- tool is spoken of, of = { [counter with options] = event }, and in
--   events: key = event with options, kind, box = "MBOX", 3 of MBOX3C0 |nil, exists = false: a counter that the architecture lacks
--   metrics: title = "NAME [UNIT]", uses = { [name] = number of times }, scale = 1e6 of MBytes |nil, rate = "per second"
local formula = require "input.formula"
local group = require "input.group"
local lists = require "input.lists"

local linted = {}

local WORDS = { set = "EVENTSET", undefined = "LIKWID prints 0", table = "LIKWID's table",
    unknown = "LIKWID prints '-' and metrics as if it were 0" }

-- Names with values that LIKWID provides, not only in the version that is installed.
local PROVIDED = { num_sockets = true, ["true"] = true, ["false"] = true }

local PREFIX = { K = 1e3, k = 1e3, M = 1e6, G = 1e9 }
local SCALED = { "^(%a)Bytes?(/?s?)$", "^(%a)FLOPS?(/?s?)$", "^(%a)UOPS?(/?s?)$", "^(%a)Hz(/?s?)$" }

-- "MBytes/s" -> 1e6, true; "GByte" -> 1e9, false; nil for other units.
function linted.scale(unit)
    for _, pattern in ipairs(unit and SCALED or {}) do
        local prefix, rate = unit:match(pattern)
        if prefix and PREFIX[prefix] then
            return PREFIX[prefix], rate == "/s"
        end
    end
end

function linted.is_provided(name)
    return PROVIDED[name] or formula.NO_COUNTERS[name]
end

-- kind and number of the box: "MBOX", 3 of MBOX3C0 or MBOX3FIX; nil for counters of cores.
function linted.box(counter)
    local kind, box = counter:match "^(%u[%u%d]-)(%d+)%u+%d*$"
    return kind, tonumber(box)
end

local kinds = {}

-- The kind of a counter: "MBOX" of MBOX3C0, "PMC" of PMC2.
function linted.kind(counter)
    kinds[counter] = kinds[counter] or linted.box(counter) or counter:match "^%a+"
    return kinds[counter]
end

-- Does a word of an event's limit stand for the counter? LIKWID's own test: one is the beginning of the other.
function linted.limit_has(word, counter)
    return counter:sub(1, #word) == word or word:sub(1, #counter) == counter
end

function linted.allows(limit, counter)
    for word in limit:gmatch "[^|]+" do
        if linted.limit_has(word, counter) then
            return true
        end
    end
    return false
end

-- 3 of 1000; nil for what is no power of ten.
function linted.power_of_ten(value)
    local power = math.log(value, 10)
    local whole = math.floor(power + 0.5)
    return math.abs(power - whole) < 1e-9 and whole or nil
end

local function prepare_metric(metric)
    metric.title = metric.unit and ("%s [%s]"):format(metric.name, metric.unit) or metric.name
    metric.uses = {}
    for _, name in ipairs(metric.parsed.names) do
        metric.uses[name] = (metric.uses[name] or 0) + 1
    end
    metric.scale, metric.rate = linted.scale(metric.unit or not metric.parsed.is_opaque and metric.name:match "%S+$")
    metric.is_flops = metric.is_flops or metric.rate and metric.title:find "FLOP/s" ~= nil
end

-- one = what a reader gave |nil for LIKWID's group files; exists(counter) |nil -> boolean
function linted.read(file, exists, one)
    one = one or group.parse_noting(file)
    one.file, one.arch, one.text = file.file, one.arch or file.file:match "([^/]+)/[^/]+$" or "", file.text
    one.words = one.words or WORDS
    one.of = lists.index(one.events, "name")
    for _, event in ipairs(one.events) do
        event.key = group.key(event)
        event.kind, event.box = linted.box(event.counter)
        event.exists = event.exists ~= false and (exists == nil or exists(event.counter))
    end
    lists.map(one.metrics, prepare_metric)
    return one
end

-- A value for a name between 1 and 2, always the same: two formulas that agree on two `rounds` are taken as equal.
local function value_of(name, round)
    local hash = 7 + round
    for i = 1, #name do
        hash = (hash * 131 + name:byte(i)) % 1000003
    end
    return 1 + hash / 1000003
end

local function known_values(round)
    return setmetatable({}, { __index = function(known, name)
        known[name] = value_of(name, round)
        return known[name]
    end })
end

-- Values for formulas in the first and the second round: { [name] = value }, to be read only.
linted.VALUES = { known_values(1), known_values(2) }

-- The quotient of two formulas if it is the same for all counts, else nil; rest(values) |nil is a further factor of the second.
function linted.quotient(one, other, rest)
    local found
    for round = 1, 2 do
        local values = linted.VALUES[round]
        local a, b = formula.evaluate(one, values), formula.evaluate(other, values)
        local quotient = a and b and b ~= 0 and a / (b * (rest and rest(values) or 1))
        if not quotient or found and math.abs(quotient / found - 1) > 1e-9 then
            return nil
        end
        found = quotient
    end
    return found
end

function linted.is_one(quotient)
    return quotient ~= nil and math.abs(quotient - 1) < 1e-9
end

-- The value of a formula without counters, all that LIKWID provides being 1; nil for other formulas.
local function constant(node)
    if node.op == "number" or node.op == "name" then
        return node.value or linted.is_provided(node.name) and 1 or nil
    end
    local left = constant(node.left)
    local right = left and node.right and constant(node.right)
    return right and formula.evaluate({ tree = { op = node.op, left = { op = "number", value = left },
        right = { op = "number", value = right } } }, {}) or left and node.op == "sign" and node.sign * left or nil
end

local function add_factors(node, factor, found)
    local op = node.op
    if op == "name" then
        found[node.name] = (found[node.name] or 0) + factor
    elseif op == "+" or op == "-" then
        return add_factors(node.left, factor, found) and add_factors(node.right, op == "+" and factor or -factor, found)
    elseif op == "sign" then
        return add_factors(node.left, factor * node.sign, found)
    elseif op == "*" or op == "/" then
        local right, left = constant(node.right), op == "*" and constant(node.left)
        if right then
            return add_factors(node.left, op == "*" and factor * right or factor / right, found)
        end
        return left and add_factors(node.right, factor * left, found)
    end
    return true
end

-- { [counter] = its factor } of a formula that is a sum of counters with factors, for a run time of 1 s; nil for other formulas.
function linted.factors(parsed)
    local found = {}
    return add_factors(parsed.tree, 1, found) and found or nil
end

-- Calls use(event, bytes of a count as text, metric) for each event in a volume or bandwidth of the group.
function linted.each_volume(one, use)
    for _, metric in ipairs(one.metrics) do
        local is_volume = metric.scale and metric.title:find "Byte"
        for name, factor in pairs(is_volume and linted.factors(metric.parsed) or {}) do
            if one.of[name] then
                use(one.of[name], ("%.6g"):format(math.abs(factor * metric.scale)), metric)
            end
        end
    end
end

-- The value that more than half of the observations have, if at least two have it and others do not, and these observations; else nil.
function linted.majority(seen)
    local groups = lists.group(seen, "value")
    table.sort(groups, function(a, b) return #a > #b end)
    local most = groups[1]
    if groups[2] and #most >= 2 and #most > #seen / 2 then
        return most[1].value, most
    end
end

-- Another unit mask is an error only if a second list confirms the vendor's (pmu.vendor), because vendors change masks. Mask 0 may have a
-- meaning that no list names.
local function severity_of(row, select, arch)
    if row.consequence:find "changed" or row.consequence:find "unit mask" and select.umask == 0 then
        return "note"
    end
    return not arch.confirmed[row.event] and row.consequence:find "unit mask" and "warning" or nil
end

-- Calls say() if LIKWID's code of the event differs from the vendor's; arch as in lint/lint.lua.
function linted.compare_code(event, line, arch, say)
    local row = arch.vendor[event]
    if row and row.state == "differs" then
        say(line, ("%s is %s, the vendor's %s is %s"):format(event, row.likwid, row.name, row.vendor), "it " .. row.consequence, nil,
            severity_of(row, arch.selects[event], arch))
    end
end

-- Findings about several counters with one event are one: "MBOX0C0, MBOX1C0 and 10 more".
function linted.names(events)
    local names = lists.join(lists.first(events, 3), ", ", function(one) return one.counter or one.name end)
    return #events > 3 and ("%s and %d more"):format(names, #events - 3) or names
end

-- 0.3333 as "x0.333"
function linted.times(factor)
    return ("x%.3g"):format(factor)
end

return linted
