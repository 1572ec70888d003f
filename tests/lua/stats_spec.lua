-- stats_spec.lua - statistics by hand, distributions against printed tables, regression against worked numbers.
-- SPDX-License-Identifier: GPL-3.0-or-later
local distribution = require "numeric.distribution"
local lists = require "input.lists"
local regression = require "numeric.regression"
local stats = require "numeric.stats"

describe("stats", function()
    it("agrees with hand-computed numbers", function()
        local values = { 2, 4, 4, 4, 5, 5, 7, 9 }
        assert.equal(5, stats.mean(values))
        assert.equal(4.5, stats.median(values))
        assert.near(math.sqrt(32 / 7), stats.deviation(values), 1e-12)
        assert.equal(3, stats.median { 9, 3, 1 })
        assert.equal(0, stats.deviation { 3 })
        assert.is_nil(stats.mean {})
        assert.is_nil(stats.median {})
        assert.is_nil(stats.summary {})
        assert.equal(7, stats.worst { 3, -7, 5 })
        assert.equal(0, stats.worst {})
    end)

    it("measures spread by the median absolute deviation", function()
        -- median 3; distances 2 1 0 1 97, sorted 0 1 1 2 97
        assert.equal(1, stats.mad { 1, 2, 3, 4, 100 })
        -- median 4.5; distances 2.5 0.5 0.5 0.5 0.5 0.5 2.5 4.5, sorted 0.5*5 2.5 2.5 4.5
        assert.equal(0.5, stats.mad { 2, 4, 4, 4, 5, 5, 7, 9 })
        assert.equal(0, stats.mad { 6 })
        assert.is_nil(stats.mad {})
    end)
end)

-- Values as printed: R. A. Fisher, F. Yates: Statistical Tables (t); Abramowitz, Stegun, tables 26.9 (F) and 26.10 (t).
describe("distribution", function()
    for _, case in ipairs {
        { 0.50, 1, 1.000 }, { 0.95, 1, 12.706 }, { 0.99, 1, 63.657 }, { 0.999, 1, 636.619 },
        { 0.95, 2, 4.303 }, { 0.99, 2, 9.925 }, { 0.999, 3, 12.924 }, { 0.95, 4, 2.776 }, { 0.99, 5, 4.032 },
        { 0.90, 7, 1.895 }, { 0.95, 10, 2.228 }, { 0.99, 10, 3.169 }, { 0.95, 20, 2.086 }, { 0.99, 30, 2.750 },
        { 0.95, 60, 2.000 }, { 0.95, 120, 1.980 }, { 0.99, 120, 2.617 },
    } do
        it(("t: %g within with %d degrees of freedom"):format(case[1], case[2]), function()
            assert.near(case[3], distribution.t_quantile(case[1], case[2]), 0.0005001)
        end)
    end

    it("t has the closed forms of 1 and 2 degrees of freedom, and the normal limit", function()
        assert.near(1 - 2 / math.pi * math.atan(3), distribution.t_outside(3, 1), 1e-12)
        assert.near(1 - 3 / math.sqrt(11), distribution.t_outside(3, 2), 1e-12)
        assert.near(1.959964, distribution.t_quantile(0.95, 1e7), 1e-5)
    end)

    for _, case in ipairs {
        { 0.05, 1, 10, 4.965 }, { 0.05, 3, 8, 4.066 }, { 0.05, 5, 20, 2.711 }, { 0.01, 2, 12, 6.927 }, { 0.01, 4, 10, 5.994 },
        { 0.01, 10, 30, 2.979 }, { 0.001, 3, 8, 15.829 },
    } do
        it(("F: %g over with %d and %d degrees of freedom"):format(case[1], case[2], case[3]), function()
            assert.near(case[1], distribution.f_over(case[4], case[2], case[3]), case[1] * 1e-3)
        end)
    end

    it("the incomplete beta function has closed forms", function()
        for _, x in ipairs { 0.01, 0.3, 0.5, 0.9 } do
            assert.near(2 / math.pi * math.asin(math.sqrt(x)), distribution.beta(x, 0.5, 0.5), 2e-14)
            assert.near(x ^ 9, distribution.beta(x, 9, 1), 2e-14)
            assert.near(x * x * (6 - 8 * x + 3 * x * x), distribution.beta(x, 2, 3), 2e-14)
        end
        assert.equal(0, distribution.beta(0, 2, 3))
        assert.equal(1, distribution.beta(1, 2, 3))
    end)

    it("F over one degree is t squared", function()
        assert.near(distribution.t_outside(2.5, 7), distribution.f_over(6.25, 1, 7), 1e-12)
    end)

    it("bounds a median by the sign test", function()
        local values = {}
        for i = 1, 12 do
            values[i] = i * i
        end
        -- P(at most 1 of 12 below) = 13/4096 = 0.0032, at most 2: 79/4096 = 0.019, at most 3: 299/4096 = 0.073
        assert.same({ 4, 121 }, { distribution.median_interval(values, 0.99) })
        assert.same({ 9, 100 }, { distribution.median_interval(values, 0.95) })
        assert.same({ 1, 9 }, { distribution.median_interval({ 1, 4, 9 }, 0.99) })
        assert.same({ 5, 5 }, { distribution.median_interval({ 5 }, 0.99) })
    end)
end)

local function rows(xs, ys, weights)
    return lists.map(xs, function(x, i) return { x = x, y = ys[i], weight = weights and weights[i] or 1 } end)
end

describe("regression", function()
    it("fits a line", function()
        -- x 1 2 3, y 2 3 5: slope 3/2, offset 10/3 - 3 = 1/3, residuals 1/6 -1/3 1/6: sum of squares 1/6, r2 = 27/28,
        -- variance 1/6, error of the slope sqrt(1/6 / 2), of the offset sqrt(1/6 (1/3 + 4/2))
        local data = rows({ 1, 2, 3 }, { 2, 3, 5 })
        local fit = regression.line(data)
        assert.near(1.5, fit.factor, 1e-12)
        assert.near(1 / 3, fit.offset, 1e-12)
        assert.near(1 / 6, fit.residual, 1e-12)
        assert.equal(1, fit.freedom)
        assert.near(math.sqrt(1 / 12), fit.factor_error, 1e-12)
        assert.near(math.sqrt(7 / 18), fit.offset_error, 1e-12)
        assert.near(27 / 28, regression.r2(data, fit), 1e-12)
        local low, high = regression.interval(fit, "factor", 0.95)
        assert.near(1.5 - 12.7062 * math.sqrt(1 / 12), low, 1e-4)
        assert.near(1.5 + 12.7062 * math.sqrt(1 / 12), high, 1e-4)
        assert.is_nil(regression.r2(rows({ 1, 2 }, { 4, 4 }), regression.line(rows({ 1, 2 }, { 4, 4 }))))
        assert.is_nil(regression.line(rows({ 3, 3, 3 }, { 1, 2, 3 })))
    end)

    it("uses weights", function()
        -- x 0 1 2, y 1 2 4, weights 1 2 1: means 1 and 9/4, xx = 2, xy = -1 * -5/4 + 1 * 7/4 = 3, slope 3/2, offset 3/4,
        -- residuals 1/4 -1/4 1/4: 1/16 + 2/16 + 1/16 = 1/4; errors sqrt(1/4 / 2), sqrt(1/4 (1/4 + 1/2))
        local fit = regression.line(rows({ 0, 1, 2 }, { 1, 2, 4 }, { 1, 2, 1 }))
        assert.near(1.5, fit.factor, 1e-12)
        assert.near(0.75, fit.offset, 1e-12)
        assert.near(0.25, fit.residual, 1e-12)
        assert.near(math.sqrt(1 / 8), fit.factor_error, 1e-12)
        assert.near(math.sqrt(3 / 16), fit.offset_error, 1e-12)
    end)

    it("counts the measurements at one size as one observation", function()
        -- size a: x 1, y 2 and 4, weights 1 and 3: mean y 14/4, mean weight 2; size b: x 2, y 5, weight 1
        local data = rows({ 1, 1, 2 }, { 2, 4, 5 }, { 1, 3, 1 })
        data[1].size, data[2].size, data[3].size = "a", "a", "b"
        local means = regression.means(data)
        assert.same({ { x = 1, y = 3.5, weight = 2, size = "a", count = 2 }, { x = 2, y = 5, weight = 1, size = "b", count = 1 } }, means)
        assert.equal(2, regression.sizes(data))
        -- factor (2 * 3.5 + 2 * 5) / (2 + 4) = 17/6; the freedom is that of two sizes
        assert.near(17 / 6, regression.factor(means).factor, 1e-12)
        assert.equal(1, regression.factor(means).freedom)
        assert.equal(1, regression.factor(data).freedom)
        assert.is_nil(regression.line(means).factor_error)
    end)

    it("leaves the offset out of differences of two regions", function()
        -- y = 10 * regions + 3 * x
        local data = rows({ 1, 2, 4 }, { 13, 6, 12 })
        data[2].regions, data[3].regions = 0, 0
        local fit = regression.line(data)
        assert.near(3, fit.factor, 1e-12)
        assert.near(10, fit.offset, 1e-12)
        assert.near(0, fit.residual, 1e-12)
        -- y = 10 * regions + x
        data = rows({ 1, 2, 4 }, { 11, 2, 4 })
        data[2].regions, data[3].regions = 0, 0
        assert.near(10, regression.offset(data).offset, 1e-12)
        data[1].regions = 0
        assert.is_nil(regression.offset(data))
        assert.is_nil(regression.line(data))
    end)

    it("fits one constant", function()
        -- weights 1/x^2 make the factor the mean of y / x: 1.1, 1.3, 1.2
        local fit = regression.factor(rows({ 10, 20, 40 }, { 11, 26, 48 }, { 1 / 100, 1 / 400, 1 / 1600 }))
        assert.near(1.2, fit.factor, 1e-12)
        assert.near(math.sqrt(0.01 / 3), fit.factor_error, 1e-12)
        assert.is_nil(regression.interval(fit, "offset", 0.95))
        -- differences 1 4 with weights 3 1: 7/4
        fit = regression.offset(rows({ 5, 6 }, { 6, 10 }, { 3, 1 }))
        assert.near(1.75, fit.offset, 1e-12)
        assert.equal(1, fit.factor)
        assert.near(math.sqrt((3 * 0.75 ^ 2 + 2.25 ^ 2) / 4), fit.offset_error, 1e-12)
        assert.is_nil(regression.factor(rows({ 0, 0 }, { 1, 2 })))
        assert.is_nil(regression.factor(rows({ 2 }, { 3 })).factor_error)
    end)
end)
