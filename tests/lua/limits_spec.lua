-- limits_spec.lua - the limits in the judgement: a case close to each limit on either side, so that a changed limit fails.
-- SPDX-License-Identifier: GPL-3.0-or-later
local classify = require "judge.classify"
local deviation = require "judge.deviation"
local lists = require "input.lists"
local regression = require "numeric.regression"
local scatter = require "judge.scatter"
local stats = require "numeric.stats"
local systematic = require "judge.systematic"
local threshold = require "judge.threshold"

local TOLERANCE = 1

-- Rows from { x, y, point = |nil, low = |nil, high = |nil, regions = |nil, thread = |nil }; each is a point of its own unless it says so.
local function rows(list)
    local made = {}
    for i, one in ipairs(list) do
        local x = one[1]
        made[i] = deviation.row {
            point = one.point or "p" .. i,
            thread = one.thread or 0,
            measured = one[2],
            expected = { min = one.low or x, value = x, max = one.high or x },
            work = one.work or x,
            seconds = one.seconds,
            regions = one.regions,
        }
    end
    return made
end

local function class(list)
    return classify.rows(rows(list), TOLERANCE).class
end

-- The rows of x = 100 .. 1000 with y = f(x).
local function along(f)
    local list = {}
    for x = 100, 1000, 100 do
        list[#list + 1] = { x, f(x) }
    end
    return list
end

describe("a value is stuck", function()
    it("if it changes by less than 5 % of the expected change", function()
        assert.equal("missing", class(along(function(x) return 1000 + 0.04 * (x - 100) end)))
        assert.not_equal("missing", class(along(function(x) return 1000 + 0.06 * (x - 100) end)))
    end)

    it("unless it changes in proportion, or by the expected amount", function()
        assert.equal("multiplicative", class(along(function(x) return 0.04 * x end)))
        assert.equal("bias", class(along(function(x) return x + 1e6 end)))
    end)

    it("only if expected values differ clearly", function()
        assert.not_equal("missing", class { { 100, 200 }, { 103, 200 }, { 105, 200 } })
        assert.equal("missing", class { { 100, 200 }, { 120, 200 }, { 140, 200 } })
    end)
end)

describe("exact", function()
    it("ends at the tolerance", function()
        assert.equal("exact", class { { 100, 100.99 }, { 200, 198.1 } })
        assert.not_equal("exact", class { { 100, 101.01 }, { 200, 202 } })
        assert.not_equal("exact", class { { 100, 98.99 }, { 200, 200 } })
    end)

    it("does not hold for values within the tolerance of 0: these are missing", function()
        assert.equal("missing", class { { 100, 0.9 }, { 200, 0 }, { 300, 0.1 } })
        assert.not_equal("missing", class { { 100, 2 }, { 110, 0.4 }, { 120, 9 }, { 130, 1 } })
    end)
end)

describe("a row where 0 is expected", function()
    it("prevents an event with stray counts elsewhere from being called missing", function()
        assert.not_equal("missing", class { { 0, 0, work = 50 }, { 100, 0.5 }, { 200, 0 }, { 300, 0 } })
        assert.equal("missing", class { { 50, 0 }, { 100, 0.5 }, { 200, 0 }, { 300, 0 } })
    end)

    it("has a constant residue, which can be subtracted, or one that grows with the work, which cannot", function()
        local constant = systematic.explain(rows { { 0, 50, work = 100 }, { 0, 50, work = 200 }, { 0, 50, work = 400 } }, TOLERANCE)
        assert.equal("bias", constant.class)
        assert.near(50, constant.offset, 1e-9)
        assert.is_nil(systematic.explain(rows { { 0, 5, work = 100 }, { 0, 10, work = 200 }, { 0, 20, work = 400 } }, TOLERANCE))
        local near = {} -- so close that the constant is within the tolerance as well, but the share explains it better
        for i = 1, 12 do
            local work = i % 2 == 0 and 100 or 112
            near[i] = { 0, 0.05 * work, work = work }
        end
        assert.is_nil(systematic.explain(rows(near), TOLERANCE))
    end)
end)

describe("weights", function()
    it("are half as large if half the interval is 1 % of the value", function()
        local sharp, wide = rows { { 100, 100 } }[1], rows { { 100, 100, low = 99, high = 101 } }[1]
        assert.near(0.5, wide.weight / sharp.weight, 1e-12)
        assert.near(0.2, rows({ { 100, 100, low = 98, high = 102 } })[1].weight / sharp.weight, 1e-12)
    end)

    it("are relative: a row of ten times the size weighs a hundredth", function()
        local small, large = rows { { 100, 100 } }[1], rows { { 1000, 1000 } }[1]
        assert.near(100, small.weight / large.weight, 1e-9)
    end)
end)

describe("rows of a rate", function()
    it("are amounts: value, interval, measured value and work, each times the seconds", function()
        local row = rows { { 100, 90, low = 80, high = 130, work = 70, seconds = 2 } }[1]
        assert.same({ 200, 160, 260, 180, 140 }, { row.x, row.low, row.high, row.y, row.work })
    end)
end)

describe("a factor", function()
    -- Line sharing on two sockets, as counted: { nominal value, count } of both threads' regions, and of their differences from the base.
    -- A region's ends may have 64 lines more.
    local SHARED = {
        { whole = { { 350, 353 }, { 700, 702 } }, more = { { 300, 301 }, { 600, 599 } } },
        { whole = { { 350, 353 }, { 1750, 1752 } }, more = { { 300, 301 }, { 1500, 1501 } } },
        { whole = { { 150, 153 }, { 2550, 2552 } }, more = { { 100, 101 }, { 1700, 1702 } } },
        { whole = { { 100, 101 }, { 6500, 6500 } }, more = { { 50, 50 }, { 3250, 3250 } } },
        { whole = { { 60, 63 }, { 15420, 15422 } }, more = { { 40, 40 }, { 10280, 10280 } } },
        { whole = { { 40, 44 }, { 41000, 41002 } }, more = { { 20, 21 }, { 20500, 20500 } } },
        { whole = { { 20, 24 }, { 327700, 327700 } }, more = {} },
    }

    it("is reported if an offset looks significant but lies within the intervals", function()
        for _, factor in ipairs { 0.6, 3 } do
            local list = {}
            for i, size in ipairs(SHARED) do
                for thread, one in ipairs(size.whole) do
                    list[#list + 1] = { one[1], math.floor(factor * one[2]), high = one[1] + 64, point = "p" .. i, thread = thread }
                end
                for thread, one in ipairs(size.more) do
                    list[#list + 1] = { one[1], math.floor(factor * one[2]), low = math.max(0, one[1] - 64), high = one[1] + 64,
                        point = ("p%d.difference"):format(i), thread = thread, regions = 0 }
                end
            end
            local found = classify.rows(rows(list), 0.1)
            assert.equal("multiplicative", found.class)
            assert.near(factor, found.correction.factor, 0.01 * factor)
        end
    end)
end)

describe("an outlier", function()
    local function count(values, tolerance)
        local _, found = scatter.outliers(values, tolerance)
        return found
    end

    it("is 3.5 times half the tolerance away if the others agree", function()
        assert.equal(0, count({ 0, 0, 0, 0, 3.4 }, 2))
        assert.equal(1, count({ 0, 0, 0, 0, 3.6 }, 2))
        assert.equal(1, count({ 0, 0, 0, 0, -3.6 }, 2))
    end)

    it("is 3.5 standard deviations away, estimated from the median distance", function()
        local function with(z)
            local values = { -1, 0, 1, -1, 0, 1, -1, 0, 1 }
            values[10] = z * 1.4826
            return values
        end
        assert.equal(0, count(with(3.4), 0.001))
        assert.equal(1, count(with(3.6), 0.001))
        assert.near(1.4826, stats.NORMAL_MAD, 1e-4)
    end)
end)

describe("scatter of points that were measured once", function()
    local function explain(list)
        local made = rows(list)
        return scatter.explain(made, (deviation.list(made)), TOLERANCE)
    end

    it("needs four of them, and one that is far off between others that are right", function()
        assert.is_string(explain { { 100, 100 }, { 200, 400 }, { 300, 300 }, { 400, 400 } })
        assert.is_nil(explain { { 100, 100 }, { 200, 400 }, { 300, 300 } })
        assert.is_nil(explain { { 100, 100 }, { 200, 200 }, { 300, 300 }, { 400, 800 } })
        assert.is_nil(explain { { 100, 200 }, { 200, 200 }, { 300, 300 }, { 400, 400 } })
        assert.is_nil(explain { { 100, 100 }, { 200, 200 }, { 300, 300 }, { 400, 400 } })
        assert.is_nil(explain { { 100, 102 }, { 200, 400 }, { 300, 300 }, { 400, 400 } })
    end)
end)

describe("scatter of repetitions", function()
    -- Groups of repetitions: their deviations in %.
    local function explain(groups)
        local list = {}
        for i, group in ipairs(groups) do
            for _, percent in ipairs(group) do
                list[#list + 1] = { 100 * i, i * (100 + percent), point = "p" .. i }
            end
        end
        local made = rows(list)
        return scatter.explain(made, (deviation.list(made)), TOLERANCE), groups
    end

    it("is wider than the tolerance", function()
        assert.is_nil((explain { { -0.4, 0.5, 0, 0.3 } }))
        assert.is_string((explain { { -0.6, 0.6, 0, 3 } }))
    end)

    it("has a median that is right with a confidence of 99 %, in both directions", function()
        assert.is_string((explain { { 0.5, 5, 6, 7, 8 } })) -- for five values the interval is their range
        assert.is_string((explain { { -0.5, -5, -6, -7, -8 } }))
        local large = { 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 }
        assert.is_nil((explain { large }))
        for i, percent in ipairs(large) do
            large[i] = -percent
        end
        assert.is_nil((explain { large }))
    end)

    it("is the largest difference between repetitions of one point, in % of their mean", function()
        local function percent(list)
            return scatter.repetitions_pct(rows(list))
        end
        assert.is_nil(percent { { 100, 100, point = "p" }, { 200, 250, point = "q" } })
        assert.equal(0, percent { { 100, 107, point = "p" }, { 100, 107, point = "p" }, { 200, 200, point = "q" } })
        assert.equal(0, percent { { 100, 0, point = "p" }, { 100, 0, point = "p" } })
        assert.near(100 * 30 / 110, percent { { 100, 100, point = "p" }, { 100, 130, point = "p" }, { 100, 100, point = "p" },
            { 200, 200, point = "q" }, { 200, 240, point = "q" } }, 1e-9)
        assert.equal(0, percent { { 100, 100, point = "p" }, { 100, 100, point = "p" }, { 50, 50, point = "p.difference", regions = 0 },
            { 50, 60, point = "p.difference", regions = 0 } }) -- computed from the same repetitions
    end)

    it("is not counted twice, in a point and in its difference from the base", function()
        local list = {}
        for _, percent in ipairs { 0.4, 5, 6, 7, 8, 9, 10, 11 } do
            list[#list + 1] = { 100, 100 + percent, point = "p" }
            list[#list + 1] = { 50, 50 * (1 + percent / 100), point = "p.difference", regions = 0 }
        end
        local made = rows(list)
        assert.is_string((scatter.explain(made, (deviation.list(made)), TOLERANCE)))
        for _, row in ipairs(made) do
            row.regions = 1
        end
        assert.is_nil((scatter.explain(made, (deviation.list(made)), TOLERANCE)))
    end)

    it("is called equal at all points unless the chance of the difference is below 1 in 1000", function()
        local spread = { -10, 10, -6, 6, -3, 3, 0, 0.5 }
        local function shifted(by)
            local groups, all = { {}, {} }, {}
            for i, value in ipairs(spread) do
                groups[1][i], groups[2][i] = value - by, value + by
                all[#all + 1], all[#all + 2] = value - by, value + by
            end
            return groups, all
        end
        local function find(chance)
            local low, high = 0, 100
            for _ = 1, 60 do
                local middle = (low + high) / 2
                local groups, all = shifted(middle)
                if scatter.alike(groups, all) > chance then
                    low = middle
                else
                    high = middle
                end
            end
            return (shifted(low))
        end
        assert.is_string((explain(find(0.002))))
        assert.is_nil((explain(find(0.0005))))
    end)

    it("compares points by Fisher's F: two groups of three, by hand", function()
        -- means 1 and 3 of { 0, 1, 2 } and { 2, 3, 4 }: between 6 of 1, within 4 of 4: F(1, 4) = 6, p = 0.0705
        assert.near(0.0705, scatter.alike({ { 0, 1, 2 }, { 2, 3, 4 } }, { 0, 1, 2, 2, 3, 4 }), 1e-4)
    end)
end)

describe("controls", function()
    it("are clearly apart from a factor of 2 on, with two samples each", function()
        assert.is_number(threshold.between({ 21, 22 }, { 10, 9 }).value)
        assert.is_nil(threshold.between({ 19, 22 }, { 10, 9 }).value)
        assert.is_number(threshold.between({ 9, 10 }, { 21, 22 }).value)
        assert.is_nil(threshold.between({ 21 }, { 10, 9 }).value)
        assert.is_nil(threshold.between({ 21, 22 }, { 10 }).value)
    end)
end)

describe("a correction", function()
    -- t distribution, both sides, 95 %, 3 degrees of freedom: 3.182 (any table)
    it("has an interval of 95 %", function()
        local list, sum = { { 100, 150 }, { 100, 151 }, { 100, 149 }, { 100, 150.5 } }, 0
        local mean = (150 + 151 + 149 + 150.5) / 4
        for _, one in ipairs(list) do
            sum = sum + (one[2] - mean) ^ 2
        end
        local found = systematic.explain(rows(list), TOLERANCE)
        local reach = 3.182 * math.sqrt(sum / 3 / 4) / 100
        assert.near(mean / 100 - reach, found.factor_ci[1], 1e-5)
        assert.near(mean / 100 + reach, found.factor_ci[2], 1e-5)
    end)

    it("does not distinguish an offset from a factor if expectations differ by less than 10 %", function()
        local near = systematic.explain(rows { { 100, 150 }, { 104, 156 }, { 108, 162 } }, TOLERANCE)
        assert.matches("vary too little", near.reason)
        local far = systematic.explain(rows { { 100, 150 }, { 110, 165 }, { 125, 187.5 } }, TOLERANCE)
        assert.not_matches("vary too little", far.reason)
    end)

    it("has a second constant only if it is significant at 99 %", function()
        local found = systematic.explain(rows(along(function(x) return 1.5 * x + (x // 100 % 2 == 0 and 0.5 or -0.4) + 0.2 end)), TOLERANCE)
        assert.equal(0, found.offset)
        local both = systematic.explain(rows(along(function(x) return 1.5 * x + 50 end)), TOLERANCE)
        assert.near(50, both.offset, 1e-6)
        assert.near(1.5, both.factor, 1e-9)
    end)

    it("does not exist if the corrected value is off by more than the tolerance, or the constant is not significant", function()
        assert.is_nil(systematic.explain(rows(along(function(x) return 1.5 * x * (x // 100 % 2 == 0 and 1.011 or 0.989) end)), TOLERANCE))
        assert.is_nil(systematic.explain(rows { { 100, 101.5 }, { 100, 100.5 } }, TOLERANCE))
    end)

    it("is an offset if that leaves the smaller error, else a factor", function()
        assert.equal("bias", systematic.explain(rows(along(function(x) return x + 30 end)), TOLERANCE).class)
        assert.equal("multiplicative", systematic.explain(rows(along(function(x) return 1.3 * x end)), TOLERANCE).class)
        assert.equal("bias", systematic.explain(rows(along(function(x) return 1.005 * x + 50 end)), TOLERANCE).class)
        assert.equal("multiplicative", systematic.explain(rows(along(function(x) return 1.015 * x + 50 end)), TOLERANCE).class)
    end)

    it("assumes that the true value may lie anywhere in an interval", function()
        local function factor_ci(upper)
            local list = {}
            for i, x in ipairs { 100, 200, 300, 400 } do
                list[i] = { x, 1.5 * (i % upper == 0 and 1.04 * x or x), low = x, high = 1.04 * x }
            end
            local found = systematic.explain(rows(list), TOLERANCE)
            assert.equal("multiplicative", found.class)
            return found.factor_ci
        end
        local ends, lower = factor_ci(2), factor_ci(5) -- truth at alternate ends: only 1.5 explains that; at the lower ends
        assert.is_true(1.48 < ends[1] and ends[1] <= 1.5 and 1.5 <= ends[2] and ends[2] < 1.52)
        assert.is_true(lower[1] < 1.5 / 1.039 and 1.5 <= lower[2])
    end)

    it("is limited by rows with narrow intervals, whatever a row with a wide interval allows", function()
        local added = systematic.explain(rows { { 1000, 1050 }, { 1200, 1250 }, { 20000, 20050, low = 17000 } }, TOLERANCE)
        assert.equal("bias", added.class)
        assert.is_true(39 < added.offset_ci[1] and added.offset_ci[1] <= 50, added.offset_ci[1])
        assert.is_true(50 <= added.offset_ci[2] and added.offset_ci[2] < 61, added.offset_ci[2])
        local times = systematic.explain(rows { { 1000, 1500 }, { 1200, 1800 }, { 200, 30, low = 0 } }, TOLERANCE)
        assert.equal("multiplicative", times.class)
        assert.is_true(1.48 < times.factor_ci[1] and times.factor_ci[1] <= 1.5, times.factor_ci[1])
        assert.is_true(1.51 < times.factor_ci[2] and times.factor_ci[2] < 1.52, times.factor_ci[2]) -- 1 % above
    end)
end)

describe("a fit", function()
    local function fit(list)
        return lists.map(list, function(one) return { x = one[1], y = one[2], weight = one[3] or 1 } end)
    end

    -- y = 1, 3, 2 at x = 1, 2, 3: slope 1/2, offset 1, residuals -1/2, 1, -1/2: their squares 3/2 with one degree of freedom
    it("of a line has the errors of its constants, by hand", function()
        local found = regression.line(fit { { 1, 1 }, { 2, 3 }, { 3, 2 } })
        assert.near(0.5, found.factor, 1e-12)
        assert.near(1, found.offset, 1e-12)
        assert.near(math.sqrt(1.5 / 2), found.factor_error, 1e-12)
        assert.near(math.sqrt(1.5 * (1 / 3 + 4 / 2)), found.offset_error, 1e-12)
        assert.near(0.25, regression.r2(fit { { 1, 1 }, { 2, 3 }, { 3, 2 } }, found), 1e-12)
    end)

    it("of a factor, of an offset, and with weights", function()
        local factor = regression.factor(fit { { 1, 2 }, { 2, 3 } }) -- 8 / 5; residuals 2/5 and -1/5
        assert.near(8 / 5, factor.factor, 1e-12)
        assert.near(math.sqrt(0.2 / 5), factor.factor_error, 1e-12)
        local offset = regression.offset(fit { { 1, 2, 3 }, { 2, 4, 1 } }) -- (3 * 1 + 1 * 2) / 4
        assert.near(5 / 4, offset.offset, 1e-12)
    end)

    -- t, both sides: 12.706 for 95 % with 1 degree of freedom
    it("has intervals of Student's t with its degrees of freedom", function()
        local found = regression.line(fit { { 1, 1 }, { 2, 3 }, { 3, 2 } })
        local low, high = regression.interval(found, "factor", 0.95)
        assert.near(12.706 * found.factor_error, (high - low) / 2, 1e-3)
    end)

    it("does not exist if x does not vary", function()
        assert.is_nil(regression.line(fit { { 5, 1 }, { 5, 2 }, { 5, 3 } }))
        assert.is_table(regression.line(fit { { 5, 1 }, { 5.001, 2 }, { 5.002, 3 } }))
    end)
end)
