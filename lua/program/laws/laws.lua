-- laws.lua - checks if laws between counters hold, states the smallest error that would be detected, and finds the blame for broken ones.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- laws.check{ laws = input.laws.read(), entries =, witness =, node =, machine = (rows.lua) } -> {
--   laws = array of { name, text, scope, why, source, where = "file:line", native = |nil, virtual_only, status = "holds", "broken" or
--     "unmeasured", reason = of the latter, rows = number of checks, broken = checks that failed, sees_pct = the
--     smallest change of its larger side that would have broken it, worst = { place, region, run, rep, left, right }: the worst check },
--   events = array of { event, laws = number of laws that contain it, up_pct, down_pct = the smallest wrong factor that would have been
--     detected, absent: none }, in the order of names,
--   blame = as in blame.lua }
-- laws.examine{ laws =, plan = as in plan/program.lua, results =, reps =, node =, machine = }: the same, from a program's results.
local array = require "input.array"
local blame = require "program.laws.blame"
local law_counts = require "program.read.law_counts"
local lists = require "input.lists"
local row_of = require "program.laws.rows"

local laws = {}

local function larger(row)
    return math.max(math.abs(row.left), math.abs(row.right))
end

local function worst_of(row)
    return { place = row.place, region = row.region, run = row.run, rep = row.rep, left = row.left, right = row.right }
end

local function describe(law)
    return { name = law.name, text = law.text, scope = law.scope, why = law.why, source = law.source,
        where = ("%s:%d"):format(law.file, law.line), native = law.native, virtual_only = law.virtual_only, rows = 0, broken = 0 }
end

-- Adds a row to its law's entry.
local function note(own, row)
    local beyond = row_of.missed(row)
    local share = larger(row) > 0 and beyond / larger(row) or 0
    own.rows, own.broken = own.rows + 1, own.broken + (beyond > 0 and 1 or 0)
    if larger(row) > 0 and beyond <= 0 then
        own.sees_pct = math.min(own.sees_pct or math.huge, math.max(-share * 100, 100 / larger(row)))
    end
    if not own.share or share > own.share then
        own.share, own.worst = share, worst_of(row)
    end
end

-- The relative changes of an event's counts (factor - 1) that break the row: up and down, infinite if none does.
local function limits(row, slope)
    local _, value = row_of.missed(row)
    local high, low = row.slack - value, row.relation == "=" and -row.slack - value or -math.huge
    local a, b = high / slope, low / slope
    return math.max(a, b), math.min(a, b)
end

-- The smallest wrong factors of events that a law would detect.
local function resolutions(found)
    local known = {}
    for _, row in ipairs(found) do
        local slopes = {}
        for _, part in ipairs(row.parts) do
            slopes[part.event] = (slopes[part.event] or 0) + part.factor * part.count
        end
        for event, slope in pairs(slopes) do
            local own = known[event] or { event = event, of = {}, laws = 0, is_counted = false }
            known[event] = own
            own.laws = own.laws + (own.of[row.law] and 0 or 1)
            own.of[row.law] = true
            if slope ~= 0 and row_of.missed(row) <= 0 then
                local up, down = limits(row, slope)
                own.up_pct = up < math.huge and math.min(own.up_pct or math.huge, math.max(0, up * 100)) or own.up_pct
                own.down_pct = down >= -1 and math.min(own.down_pct or math.huge, math.max(0, -down * 100)) or own.down_pct
            end
            own.is_counted = own.is_counted or slope ~= 0
        end
    end
    return array(lists.collect(lists.sorted(known), function(event)
        local own = known[event]
        return { event = event, laws = own.laws, counted = own.is_counted, up_pct = own.up_pct, down_pct = own.down_pct }
    end))
end

function laws.check(argument)
    local found, gaps = row_of.make(argument)
    local list, by_law = array(), {}
    for _, law in ipairs(argument.laws) do
        by_law[law] = describe(law)
        list[#list + 1] = by_law[law]
    end
    for _, row in ipairs(found) do
        note(by_law[row.law], row)
    end
    for _, law in ipairs(argument.laws) do
        local own = by_law[law]
        own.reason, own.share = gaps[law], nil
        own.status = own.rows == 0 and "unmeasured" or own.broken > 0 and "broken" or "holds"
    end
    return { laws = list, events = resolutions(found), blame = blame.find(found) }
end

function laws.examine(argument)
    return laws.check { laws = argument.laws, entries = law_counts.read(argument), witness = argument.machine.probe.event,
        node = argument.node, machine = argument.machine }
end

return laws
