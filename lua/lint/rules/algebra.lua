-- algebra.lua - metrics of one group that must agree, and do not. SPDX-License-Identifier: GPL-3.0-or-later
--
-- Both formulas are computed with random counts: bandwidth * time = volume, power * time = energy, a total holds its reads and writes, CPI
-- is cycles per instruction, operational intensity is FLOP rate / bandwidth.
local formula = require "input.formula"
local linted = require "lint.linted"
local lists = require "input.lists"

local function find(group, name)
    return lists.find(group.metrics, function(metric) return metric.name:lower() == name end)
end

-- Adds to a metric the counters of `others` that it does not have, to the last of theirs that it has.
local function completion(group, metric, others)
    local theirs = lists.filter(group.events, function(event)
        return lists.any(others, function(other) return other.uses[event.name] end)
    end)
    local has, lacks = {}, {}
    for _, event in ipairs(theirs) do
        table.insert(metric.uses[event.name] and has or lacks, event.name)
    end
    return #has > 0 and #lacks > 0 and { metric = metric, add = { { to = has[#has], names = lacks } } } or nil
end

local OTHER = { { "read", "write" }, { "load", "store" }, { "load", "evict" } }

-- "memory read bandwidth" -> "memory bandwidth"; nil for other names
local function total_name(name, words)
    local rest, changed = name:gsub("%f[%a]" .. words[1] .. "%s+", "")
    return changed > 0 and rest or nil
end

local function is_total(group, metric)
    return lists.any(group.metrics, function(part)
        return lists.any(OTHER, function(words) return total_name(part.name:lower(), words) == metric.name:lower() end)
    end)
end

-- An amount follows its rate only if that is a total, which check_total() compares with its parts. Of other pairs either may be wrong.
local function check_pair(group, say, rate, amount_name)
    local amount = find(group, amount_name)
    if not amount or (rate.scale == nil) ~= (amount.scale == nil) then
        return
    end
    local quotient = linted.quotient(amount.parsed, rate.parsed, function(values) return values.time end)
    quotient = quotient and quotient / (rate.scale or 1) * (amount.scale or 1)
    if not quotient then
        say(amount.line, ("metric '%s' counts other events than '%s'"):format(amount.title, rate.title),
            "one of the two shows another quantity", is_total(group, rate) and completion(group, amount, { rate }) or nil)
    elseif quotient > 0 and not linted.is_one(quotient) and not linted.power_of_ten(quotient) then -- see unit-scale
        say(amount.line, ("metric '%s' is %s of '%s' times the time"):format(amount.title, linted.times(quotient), rate.title),
            "one of the two is wrong by this factor")
    end
end

-- parts -> the total's share of their sum, the smaller one of two rounds; nil unless both can be computed.
local function share(total, parts)
    local least
    for round = 1, 2 do
        local values, sum = linted.VALUES[round], 0
        for _, part in ipairs(parts) do
            sum = sum + (formula.evaluate(part.parsed, values) or math.huge) * (part.scale or 1)
        end
        local whole = formula.evaluate(total.parsed, values)
        local quotient = whole and sum < math.huge and whole * (total.scale or 1) / sum
        if not quotient then
            return nil
        end
        least = math.min(least or quotient, quotient)
    end
    return least
end

-- A total with other events than its parts may be another definition.
local function is_within(total, parts)
    for name in pairs(total.uses) do
        if not parts[1].uses[name] and not parts[2].uses[name] then
            return false
        end
    end
    return true
end

local function check_total(group, say, part)
    for _, words in ipairs(OTHER) do
        local name = part.name:lower()
        local rest = total_name(name, words)
        local other = rest and find(group, (name:gsub("%f[%a]" .. words[1] .. "%f[%A]", words[2])))
        local total = other and find(group, rest)
        if total and total.scale and total.rate == part.rate and is_within(total, { part, other }) then
            local found = share(total, { part, other })
            if found and found < 1 - 1e-9 and not linted.power_of_ten(found) then
                say(total.line, ("metric '%s' leaves out parts of '%s' or '%s'"):format(total.title, part.title, other.title),
                    ("it is %s of their sum if all count alike"):format(linted.times(found)), completion(group, total, { part, other }))
            end
        end
    end
end

local CYCLES, INSTRUCTIONS = { "CYC", "CLK", "CLOCK" }, { "INST" }

local function is_of(group, node, words)
    local event = node and node.op == "name" and group.of[node.name]
    return event and lists.any(words, function(word) return event.event:find(word, 1, true) end)
end

local RATIOS = { cpi = { CYCLES, INSTRUCTIONS, "cycles per instruction" }, ipc = { INSTRUCTIONS, CYCLES, "instructions per cycle" } }

-- CPI that is upside down.
local function check_ratio(group, say, metric)
    local words, tree = RATIOS[metric.name:lower()], metric.parsed.tree
    if words and tree.op == "/" and is_of(group, tree.left, words[2]) and is_of(group, tree.right, words[1]) then
        say(metric.line, ("metric '%s' is not %s but its inverse"):format(metric.title, words[3]), "its value is 1/x")
    end
end

-- The FLOP rate or bandwidth that the intensity may be made of; it is right if one pair fits.
local function check_intensity(group, say, metric)
    local rates = lists.filter(group.metrics, function(one) return one.rate and one.title:find "FLOP/s" end)
    local bandwidths = lists.filter(group.metrics, function(one) return one.rate and one.title:find "Byte" end)
    local nearest
    local widest = lists.best(bandwidths, function(one, other) return #lists.sorted(one.uses) > #lists.sorted(other.uses) end)
    for _, rate in ipairs(rates) do
        for _, bandwidth in ipairs(bandwidths) do
            local quotient = linted.quotient(metric.parsed, { tree = { op = "/", left = rate.parsed.tree, right = bandwidth.parsed.tree } })
            quotient = quotient and quotient / rate.scale * bandwidth.scale
            if linted.is_one(quotient) then
                return
            end
            nearest = nearest or quotient
        end
    end
    if #rates > 0 and #bandwidths > 0 then
        say(metric.line, ("metric '%s' is not the quotient of a FLOP rate and a bandwidth of its group"):format(metric.title),
            nearest and ("its value is %s"):format(linted.times(nearest)) or "it counts other events than they do",
            completion(group, metric, { widest }))
    end
end

return {
    name = "algebra", class = "S13", severity = "error", about = "group",
    title = "metrics of one group contradict each other for any counts",
    check = function(group, say)
        for _, metric in ipairs(group.metrics) do
            local name = metric.name:lower()
            if metric.rate and name:find "bandwidth" then
                check_pair(group, say, metric, (name:gsub("bandwidth", "data volume")))
            elseif name:find "^power" and metric.unit == "W" then
                check_pair(group, say, metric, (name:gsub("^power", "energy")))
            elseif name:find "intensity" then
                check_intensity(group, say, metric)
            end
            check_total(group, say, metric)
            check_ratio(group, say, metric)
        end
    end,
}
