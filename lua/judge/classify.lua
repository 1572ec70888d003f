-- classify.lua - the error class of a metric from its rows (deviation.lua): exact, bias, multiplicative, random, unknown, missing.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Classes are tested in this order; the first that holds is the answer. Each test states its statistics in its own file.
--   missing         counts are expected, but all values are 0, or the value does not change with the expectation; if no constants correct
--                   it: also if all values are within the tolerance of 0
--   unknown         the counter gave no value for some samples: nothing can be claimed about these
--   exact           every |deviation| is within the tolerance
--   bias, multiplicative    an offset or a factor corrects all samples (systematic.lua)
--   random          single repetitions are far off, but the median is right (scatter.lua)
--   unknown         none of the above
local deviation = require "judge.deviation"
local lists = require "input.lists"
local regression = require "numeric.regression"
local scatter = require "judge.scatter"
local stats = require "numeric.stats"
local systematic = require "judge.systematic"

local classify = {}

local STUCK_SHARE = 0.05 -- a value is stuck if it changes by less than this share of the change of its expectation

local function all_zero(rows)
    local _, least = stats.range(lists.map(rows, "low"))
    return least > 0 and lists.all(rows, function(row) return row.y == 0 end)
end

-- Does the value stay the same although expectations differ clearly? Tested absolutely (a value with a large offset changes by
-- the full amount) and relatively (a value with a small factor changes in proportion).
local function is_stuck(rows)
    if not systematic.varies(rows) then
        return false
    end
    local low, high = stats.range(lists.map(rows, "x"))
    local least, most = stats.range(lists.map(rows, "y"))
    local moved, wanted = most - least, high - low
    return moved < STUCK_SHARE * wanted and moved * high < STUCK_SHARE * wanted * math.abs(most)
end

-- Is every value within the tolerance of 0, in % of its expectation? A few stray events are not a working counter.
local function is_negligible(rows, tolerance_pct)
    return lists.all(rows, function(row) return row.low > 0 and math.abs(row.y) <= tolerance_pct / 100 * row.low end)
end

local function why_missing(rows, worst, tolerance_pct)
    if worst <= tolerance_pct then
        return nil
    elseif all_zero(rows) then
        return "0 throughout"
    end
    return is_stuck(rows) and "the value does not move with the expectation" or nil
end

-- The reason for the largest count, in % of the work, where 0 is expected.
function classify.why_residue(residue_pct)
    return ("expected 0, measured up to %.3g %% of the work"):format(residue_pct)
end

local function why_unknown(rows, residues, tolerance_pct)
    local residue = stats.worst(residues)
    if residue > tolerance_pct then
        return classify.why_residue(residue)
    end
    return regression.sizes(rows) == 1 and "measured at one size only, so the error may vary with the size" or ""
end

-- rows (at least one), tolerance in %, absent = reason why the counter gave no value for some samples, nil if all have one
-- -> { class =, reason = text, may be "", correction = systematic.lua's result for bias and multiplicative }
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
        return { class = "missing", reason = "0, except for a few stray counts" }
    end
    local random = scatter.explain(rows, all, tolerance_pct)
    if random then
        return { class = "random", reason = random }
    end
    return { class = "unknown", reason = why_unknown(rows, residues, tolerance_pct) }
end

return classify
