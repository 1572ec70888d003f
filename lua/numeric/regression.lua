-- regression.lua - weighted least squares of y = offset * regions + factor * x: the line, a factor alone, an offset alone.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Rows are { x =, y =, weight =, regions = multiple of the offset in y (nil: 1), size = |nil }. Weights are relative: the variance of a row
-- is s^2 / weight with one unknown s, which is estimated from the residuals, s^2 = sum weight * residual^2 / (sizes - constants).
-- Formulas: N. R. Draper, H. Smith: Applied Regression Analysis, 3rd ed. 1998, chapters 1 and 9. Measurements at one size share that
-- size's deviation, so its rows count as one (a row without size counts separately): see regression.means.
-- Every fit is
--   { factor =, offset =, factor_error = |nil, offset_error = |nil (standard errors, nil for a constant that was not fitted, or without
--     degrees of freedom), freedom =, residual = weighted sum of squares }
-- or nil if the rows do not determine the constants.
local distribution = require "numeric.distribution"

local regression = {}

-- One row per size (and number of regions): the weighted means of its rows, with their mean weight. If the deviations of sizes, and of
-- repetitions around them, are normal, and all sizes have equally many repetitions, these means are independent with one variance up to
-- the weights. They then contain all information about the constants, and t intervals are exact whatever the two variances are
-- (S. R. Searle, G. Casella, C. E. McCulloch: Variance Components, 1992, section 3.5).
function regression.means(rows)
    local bins, order = {}, {}
    for i, row in ipairs(rows) do
        local key = ("%s\t%g"):format(row.size or i, row.regions or 1)
        local bin = bins[key]
        if not bin then
            bin = { x = 0, y = 0, weight = 0, regions = row.regions, size = row.size, count = 0 }
            bins[key] = bin
            order[#order + 1] = bin
        end
        bin.x, bin.y = bin.x + row.weight * row.x, bin.y + row.weight * row.y
        bin.weight, bin.count = bin.weight + row.weight, bin.count + 1
    end
    for _, bin in ipairs(order) do
        bin.x, bin.y, bin.weight = bin.x / bin.weight, bin.y / bin.weight, bin.weight / bin.count
    end
    return order
end

-- Number of sizes.
function regression.sizes(rows)
    local seen, count = {}, 0
    for i, row in ipairs(rows) do
        local key = row.size or i
        count = count + (seen[key] and 0 or 1)
        seen[key] = true
    end
    return count
end

local function offsets_in(row)
    return row.regions or 1
end

local function sum(rows, term)
    local total = 0
    for _, row in ipairs(rows) do
        total = total + row.weight * term(row)
    end
    return total
end

local function finish(rows, factor, offset, constants)
    local residual = sum(rows, function(row) return (row.y - offset * offsets_in(row) - factor * row.x) ^ 2 end)
    local freedom = regression.sizes(rows) - constants
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

-- With k the offset's multiple in each row: weighted sums kk = sum k * k, sum k * x / kk (projection of x on k), sum k * y / kk.
local function along_offset(rows)
    local kk = sum(rows, function(row) return offsets_in(row) ^ 2 end)
    if kk <= 0 then
        return kk
    end
    return kk, sum(rows, function(row) return offsets_in(row) * row.x end) / kk,
        sum(rows, function(row) return offsets_in(row) * row.y end) / kk
end

-- y = offset * regions + x
function regression.offset(rows)
    local kk, x, y = along_offset(rows)
    if kk <= 0 then
        return nil
    end
    local fit, variance = finish(rows, 1, y - x, 1)
    fit.offset_error = variance and math.sqrt(variance / kk)
    return fit
end

-- y = offset * regions + factor * x: the factor is fitted to x and y without their projections on the offset's multiples.
function regression.line(rows)
    local kk, mean_x, mean_y = along_offset(rows)
    if kk <= 0 then
        return nil
    end
    local function rest_x(row) return row.x - mean_x * offsets_in(row) end
    local xx = sum(rows, function(row) return rest_x(row) ^ 2 end)
    if xx <= 1e-24 * sum(rows, function(row) return row.x ^ 2 end) then
        return nil -- x does not vary beyond rounding
    end
    local factor = sum(rows, function(row) return rest_x(row) * (row.y - mean_y * offsets_in(row)) end) / xx
    local fit, variance = finish(rows, factor, mean_y - factor * mean_x, 2)
    fit.factor_error = variance and math.sqrt(variance / xx)
    fit.offset_error = variance and math.sqrt(variance * (1 / kk + mean_x ^ 2 / xx))
    return fit
end

-- Share of the weighted variance of y that a fit explains; nil if y is constant.
function regression.r2(rows, fit)
    local weights = sum(rows, function() return 1 end)
    local mean = sum(rows, function(row) return row.y end) / weights
    local total = sum(rows, function(row) return (row.y - mean) ^ 2 end)
    return total > 0 and 1 - fit.residual / total or nil
end

-- t interval of a fitted constant ("factor" or "offset"): low, high; nil if it was not fitted or has no degrees of freedom.
function regression.interval(fit, constant, confidence)
    local deviation = fit[constant .. "_error"]
    if not deviation then
        return nil
    end
    local reach = deviation * distribution.t_quantile(confidence, fit.freedom)
    return fit[constant] - reach, fit[constant] + reach
end

return regression
