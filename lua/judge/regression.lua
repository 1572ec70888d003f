-- regression.lua - weighted least squares of y = offset + factor * x: the line, a factor alone, an offset alone.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows are { x =, y =, weight = }. Weights are relative: the variance of a row is s^2 / weight with one unknown s, which is
-- estimated from the residuals, s^2 = sum weight * residual^2 / (rows - constants). Formulas: N. R. Draper, H. Smith: Applied
-- Regression Analysis, 3rd ed. 1998, chapters 1 and 9. Every fit is
--   { factor =, offset =, factor_error = |nil, offset_error = |nil (standard errors, nil for a constant that was not fitted and
--     where no freedom is left), freedom =, residual = weighted sum of squares }
-- or nil where the rows do not determine the constants.
local distribution = require "judge.distribution"

local regression = {}

local function sum(rows, term)
    local total = 0
    for _, row in ipairs(rows) do
        total = total + row.weight * term(row)
    end
    return total
end

local function finish(rows, factor, offset, constants)
    local residual = sum(rows, function(row) return (row.y - offset - factor * row.x) ^ 2 end)
    local freedom = #rows - constants
    local variance = freedom > 0 and residual / freedom or nil
    return { factor = factor, offset = offset, freedom = freedom, residual = residual }, variance
end

-- y = factor * x
function regression.factor(rows)
    local xx = sum(rows, function(row) return row.x * row.x end)
    if xx <= 0 then
        return nil
    end
    local fit, variance = finish(rows, sum(rows, function(row) return row.x * row.y end) / xx, 0, 1)
    fit.factor_error = variance and math.sqrt(variance / xx)
    return fit
end

-- y = offset + x
function regression.offset(rows)
    local weights = sum(rows, function() return 1 end)
    if weights <= 0 then
        return nil
    end
    local fit, variance = finish(rows, 1, sum(rows, function(row) return row.y - row.x end) / weights, 1)
    fit.offset_error = variance and math.sqrt(variance / weights)
    return fit
end

-- y = offset + factor * x
function regression.line(rows)
    local weights = sum(rows, function() return 1 end)
    if weights <= 0 then
        return nil
    end
    local mean_x, mean_y = sum(rows, function(row) return row.x end) / weights, sum(rows, function(row) return row.y end) / weights
    local xx = sum(rows, function(row) return (row.x - mean_x) ^ 2 end)
    if xx <= 1e-24 * weights * mean_x ^ 2 then
        return nil -- x does not vary beyond rounding
    end
    local factor = sum(rows, function(row) return (row.x - mean_x) * (row.y - mean_y) end) / xx
    local fit, variance = finish(rows, factor, mean_y - factor * mean_x, 2)
    fit.factor_error = variance and math.sqrt(variance / xx)
    fit.offset_error = variance and math.sqrt(variance * (1 / weights + mean_x ^ 2 / xx))
    return fit
end

-- Share of the weighted variance of y that a fit explains; nil if y does not vary.
function regression.r2(rows, fit)
    local weights = sum(rows, function() return 1 end)
    local mean = sum(rows, function(row) return row.y end) / weights
    local total = sum(rows, function(row) return (row.y - mean) ^ 2 end)
    return total > 0 and 1 - fit.residual / total or nil
end

-- t interval of a fitted constant ("factor" or "offset"): low, high; nil where it was not fitted or no freedom is left.
function regression.interval(fit, constant, confidence)
    local deviation = fit[constant .. "_error"]
    if not deviation then
        return nil
    end
    local reach = deviation * distribution.t_quantile(confidence, fit.freedom)
    return fit[constant] - reach, fit[constant] + reach
end

return regression
