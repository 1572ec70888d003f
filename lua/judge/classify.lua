-- classify.lua - the error class of a metric from its rows (deviation.lua): exact, bias, multiplicative, random, unknown, missing.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- In this order, the first that holds; each test states its statistics where it is written.
--   missing         expected to count, but 0 throughout, or a value that does not move with the expectation; after the constants had
--                   their chance, also what is nowhere further from 0 than the tolerance
--   unknown         a value is absent for a reason of the counter: no class can be claimed for what was not seen
--   exact           every |deviation| is within the tolerance
--   bias, multiplicative    constants correct it (systematic.lua)
--   random          single repetitions are far off, the median is right (scatter.lua)
--   unknown         none of these
local deviation = require "judge.deviation"
local regression = require "numeric.regression"
local scatter = require "judge.scatter"
local stats = require "numeric.stats"
local systematic = require "judge.systematic"

local classify = {}

local STUCK_SHARE = 0.05 -- a value that moves by less than this share of what its expectation moves is stuck

local function column(rows, key)
    local values = {}
    for i, row in ipairs(rows) do
        values[i] = row[key]
    end
    return values
end

local function all_zero(rows)
    local low, high = stats.range(column(rows, "y"))
    local _, least = stats.range(column(rows, "low"))
    return low == 0 and high == 0 and least > 0
end

-- Does the value stay where it is although expectations differ clearly? It must do so in absolute terms (a large offset moves in
-- full) and in relative ones (a small factor moves in proportion).
local function is_stuck(rows)
    if not systematic.varies(rows) then
        return false
    end
    local low, high = stats.range(column(rows, "x"))
    local least, most = stats.range(column(rows, "y"))
    local moved, wanted = most - least, high - low
    return moved < STUCK_SHARE * wanted and moved * high < STUCK_SHARE * wanted * math.abs(most)
end

-- Is every value, in % of what is expected, as near to 0 as the tolerance? Single strays are no count.
local function is_negligible(rows, tolerance_pct)
    for _, row in ipairs(rows) do
        if row.low <= 0 or math.abs(row.y) > tolerance_pct / 100 * row.low then
            return false
        end
    end
    return true
end

local function why_missing(rows, worst, tolerance_pct)
    if worst <= tolerance_pct then
        return nil
    elseif all_zero(rows) then
        return "0 throughout"
    end
    return is_stuck(rows) and "the value does not move with the expectation" or nil
end

local function why_unknown(rows, residues, tolerance_pct)
    local residue = stats.worst(residues)
    if residue > tolerance_pct then
        return ("expected 0, measured up to %.3g %% of the work"):format(residue)
    end
    return regression.sizes(rows) == 1 and "one size does not tell a constant from an accident" or ""
end

-- rows (one or more), tolerance, absent = text of the samples that the counter gave no value for, nil if there are none ->
-- { class =, reason = "" for none to give, correction = systematic.lua's for bias and multiplicative }
function classify.rows(rows, tolerance_pct, absent)
    local all, _, residues = deviation.list(rows)
    local worst = stats.worst(all)
    local missing = why_missing(rows, worst, tolerance_pct)
    if missing then
        return { class = "missing", reason = missing }
    elseif absent then
        return { class = "unknown", reason = "some samples have no value: " .. absent }
    elseif worst <= tolerance_pct then
        return { class = "exact", reason = "" }
    end
    local correction = systematic.explain(rows, tolerance_pct)
    if correction then
        return { class = correction.class, reason = correction.reason, correction = correction }
    end
    if is_negligible(rows, tolerance_pct) then
        return { class = "missing", reason = "0 but for strays" }
    end
    local random = scatter.explain(rows, all, tolerance_pct)
    if random then
        return { class = "random", reason = random }
    end
    return { class = "unknown", reason = why_unknown(rows, residues, tolerance_pct) }
end

return classify
