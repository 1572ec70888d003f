-- systematic.lua - finds the offset and the factor that correct a wrong metric, or nil if no constants do.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- measured = offset + factor * expected, by weighted least squares (regression.lua). Weights are relative, like the tolerance, and
-- smaller for wide expected intervals (deviation.lua). All samples of one size are one observation, because a single size may deviate
-- alone. Candidates: an offset alone, a factor alone, both.
--   1. Of the two candidates with one constant, take the one with the smaller weighted sum of squares (Akaike's criterion for equal
--      numbers of constants). If expectations differ by less than SPREAD_PCT, both fit alike: a factor is taken, and the reason
--      says so. If all expectations are 0, a factor has no meaning: an offset must fit better than a share of the work.
--   2. Take both constants if the t interval (SURE) of the second one excludes its null value (factor 1, offset 0). That needs three
--      different expectations. If this choice fails rule 4, the other candidates are tried: the second constant may only reflect the
--      width of the intervals. The class is bias if the factor is 1 within the tolerance, else multiplicative.
--   3. Constants are fitted to the nominal values first. Then each row's expectation moves to the value inside its interval that is
--      nearest to the corrected measurement, and the fit is repeated until the constants converge. So they differ from the
--      nominal fit only as far as the intervals require. Because the truth inside an interval is unknown, a constant's confidence
--      interval (CONFIDENCE) spans the t intervals of three fits: to lower ends, nominal values and upper ends. It is cut to the
--      values that each row alone allows.
--   4. The answer is valid if the constant that decides the class differs significantly from its null value, the converged constants
--      lie inside their intervals, and every sample is within the tolerance after correction: with constants fitted to all sizes, and
--      for each size with constants fitted to the other sizes. So at least two sizes are needed.
local deviation = require "judge.deviation"
local lists = require "input.lists"
local regression = require "numeric.regression"
local stats = require "numeric.stats"

local systematic = {}

local CONFIDENCE, SURE = 0.95, 0.99
local ROUNDS, SETTLED, SLACK = 200, 1e-9, 1e-6

systematic.SPREAD_PCT = 10 -- % by which expectations must differ to distinguish an offset from a factor

-- One row per size for regression.lua; place(row) gives the expectation to use.
local function against(rows, place)
    return regression.means(lists.map(rows, function(row)
        return { x = place(row), y = row.y, weight = row.weight, regions = row.regions, size = row.size }
    end))
end

local function nominal(row) return row.x end
local function lowest(row) return row.low end
local function highest(row) return row.high end

-- The line through the nominal values; nil for fewer than three different expectations, because two points always lie on a line.
function systematic.line(rows)
    local count = #lists.group(rows, function(row) return ("%.9g"):format(row.x) end)
    local fitted = against(rows, nominal)
    local fit = count >= 3 and #fitted >= 3 and regression.line(fitted) or nil
    return fit and { offset = fit.offset, factor = fit.factor, r2 = regression.r2(fitted, fit) }, fit
end

-- Do expectations (or the rows' number `key`) differ enough to distinguish an offset from a factor?
function systematic.varies(rows, key)
    local low, high = stats.range(lists.map(rows, key or "x"))
    return high - low >= systematic.SPREAD_PCT / 100 * high and high > 0
end

local function leaves_out(fit, constant, null, confidence)
    local low, high = regression.interval(fit, constant, confidence)
    return low ~= nil and (null < low or null > high)
end

-- All expectations are 0: is the value a constant offset, or does it grow with the work?
local function choose_for_zero(rows)
    if not systematic.varies(rows, "work") then
        return nil
    end
    local offset = regression.offset(against(rows, nominal))
    local share = regression.factor(against(rows, function(row) return row.work end))
    return share and offset.residual < share.residual and "offset" or nil
end

-- Names of the candidates (functions of regression.lua), best first, and true if the other single constant fits as well.
local function choose(rows)
    local fitted = against(rows, nominal)
    local factor, offset = regression.factor(fitted), regression.offset(fitted)
    if not factor then
        return { choose_for_zero(rows) }, false
    elseif not systematic.varies(rows) then
        return { "factor" }, true
    end
    local has_offset = offset.residual < factor.residual
    local added, null = has_offset and "factor" or "offset", has_offset and 1 or 0
    local _, line = systematic.line(rows)
    local candidates = has_offset and { "offset", "factor" } or { "factor", "offset" }
    if line and leaves_out(line, added, null, SURE) then
        table.insert(candidates, 1, "line")
    end
    return candidates, false
end

-- The function of a row that gives its corrected value by constants { offset, factor }.
function systematic.corrector(fit)
    return function(row) return (row.y - fit.offset * row.regions) / fit.factor end
end

-- Rule 3: alternates between fitting constants and moving expectations inside their intervals.
local function settle(rows, candidate)
    local fit = regression[candidate](against(rows, nominal))
    for _ = 1, fit and ROUNDS or 0 do
        if fit.factor <= 0 then
            return nil
        end
        local correct = systematic.corrector(fit)
        local better = regression[candidate](against(rows, function(row)
            return math.min(math.max(correct(row), row.low), row.high)
        end))
        if not better then
            return fit
        end
        local moved = math.abs(better.factor / fit.factor - 1) + math.abs(better.offset - fit.offset) / rows[1].scale
        fit = better
        if moved < SETTLED then
            break
        end
    end
    return fit and fit.factor > 0 and fit or nil
end

-- For each size: is it within the tolerance after correction by constants fitted to the other sizes?
local function holds_elsewhere(rows, candidate, tolerance_pct)
    return lists.all(lists.group(rows, "size"), function(own)
        local others = lists.filter(rows, function(row) return row.size ~= own[1].size end)
        local fit = #others > 0 and settle(others, candidate)
        return fit and stats.worst((deviation.list(own, systematic.corrector(fit)))) <= tolerance_pct
    end)
end

-- Range of a candidate's only constant with which every sample can be within the tolerance for some truth in its interval: low,
-- high.
local function allowed(rows, candidate, tolerance_pct)
    local from, to = -math.huge, math.huge
    for _, row in ipairs(rows) do
        local reach = tolerance_pct / 100 * row.scale
        local low, high = row.low - reach, row.high + reach
        if candidate == "factor" then
            from, to = math.max(from, row.y / high), low > 0 and math.min(to, row.y / low) or to
        elseif candidate == "offset" and row.regions > 0 then
            from, to = math.max(from, (row.y - high) / row.regions), math.min(to, (row.y - low) / row.regions)
        end
    end
    return from, to
end

-- A constant's confidence interval over all truths inside the expected intervals: { low, high }, or nil. Fits to interval ends may
-- exceed what narrow rows allow, so the result is cut, but it keeps the converged fit's own interval.
local function span(rows, settled, candidate, constant, tolerance_pct)
    local low, high
    for _, place in ipairs { lowest, nominal, highest } do
        local fit = regression[candidate](against(rows, place))
        local from, to = nil, nil
        if fit then
            from, to = regression.interval(fit, constant, CONFIDENCE)
        end
        if from then
            low, high = math.min(low or from, from), math.max(high or to, to)
        end
    end
    if not low then
        return nil
    end
    local from, to = allowed(rows, candidate, tolerance_pct)
    local least, most = regression.interval(settled, constant, CONFIDENCE)
    return { math.max(low, math.min(from, least)), math.min(high, math.max(to, most)) }
end

local function is_significant(interval, null)
    return interval ~= nil and (null < interval[1] or null > interval[2])
end

-- Is the constant inside its interval? SLACK allows for rounding: counts without noise give an interval of width 0.
local function is_inside(interval, constant, scale)
    return interval == nil or not is_significant({ interval[1] - SLACK * scale, interval[2] + SLACK * scale }, constant)
end

local function explain(result, is_ambiguous)
    local terms = { ("measured = %.4g * expected"):format(result.factor) }
    if result.offset ~= 0 then
        terms[#terms + 1] = (result.offset < 0 and "- %.4g" or "+ %.4g"):format(math.abs(result.offset))
    end
    local text = table.concat(terms, " ")
    if result.factor == 1 then
        text = ("measured = expected %s"):format(terms[2])
    end
    return text .. (is_ambiguous and "; expectations vary too little to tell an offset from a factor" or "")
end

-- The answer with that candidate; nil if it fails rule 4.
local function try(rows, candidate, tolerance_pct)
    local fit = settle(rows, candidate)
    if not fit then
        return nil
    end
    local all, errors, residues = deviation.list(rows, systematic.corrector(fit))
    local is_bias = candidate ~= "factor" and math.abs(fit.factor - 1) <= tolerance_pct / 100
    local result = {
        class = is_bias and "bias" or "multiplicative",
        factor = fit.factor,
        factor_ci = span(rows, fit, candidate, "factor", tolerance_pct),
        offset = fit.offset,
        offset_ci = span(rows, fit, candidate, "offset", tolerance_pct),
        errors = errors,
        residues = residues,
    }
    local is_clear = is_significant(is_bias and result.offset_ci or result.factor_ci, is_bias and 0 or 1)
    local is_settled = is_inside(result.factor_ci, fit.factor, fit.factor) and is_inside(result.offset_ci, fit.offset, rows[1].scale)
    local stands = is_clear and is_settled and stats.worst(all) <= tolerance_pct and holds_elsewhere(rows, candidate, tolerance_pct)
    return stands and result or nil
end

-- rows, tolerance -> { class = "bias"|"multiplicative", factor =, factor_ci = {low, high}|nil (not fitted: exactly 1), offset =,
-- offset_ci = {low, high}|nil (not fitted: exactly 0), errors =, residues = lists in % after the correction, reason = }, or nil.
-- true amount = (measured amount - offset) / factor
function systematic.explain(rows, tolerance_pct)
    local candidates, is_ambiguous = choose(rows)
    local result = nil
    for _, candidate in ipairs(regression.sizes(rows) > 1 and candidates or {}) do
        result = result or try(rows, candidate, tolerance_pct)
    end
    if result then
        result.reason = explain(result, is_ambiguous)
    end
    return result
end

return systematic
