-- stats.lua - range, mean, median, standard deviation and median absolute deviation of lists of numbers, and rates with their intervals.
-- SPDX-License-Identifier: GPL-3.0-or-later
local stats = {}

local NORMAL_95 = 1.959964 -- 95 % of normal values are within this many standard deviations

stats.NORMAL_MAD = 1.4826 -- standard deviation of normal values = this times their median absolute deviation

-- Smallest and largest value; nil for an empty list.
function stats.range(values)
    local low, high = values[1], values[1]
    for _, value in ipairs(values) do
        low, high = math.min(low, value), math.max(high, value)
    end
    return low, high
end

-- Largest absolute value; 0 for an empty list.
function stats.worst(values)
    local low, high = stats.range(values)
    return low and math.max(math.abs(low), math.abs(high)) or 0
end

-- Arithmetic mean; nil for an empty list.
function stats.mean(values)
    local sum = 0
    for _, value in ipairs(values) do
        sum = sum + value
    end
    return #values > 0 and sum / #values or nil
end

-- A sorted copy, ascending.
function stats.sorted(values)
    local sorted = table.move(values, 1, #values, 1, {})
    table.sort(sorted)
    return sorted
end

-- Median of an ascending list; nil for an empty list.
function stats.middle(sorted)
    local middle = #sorted // 2
    if #sorted == 0 then
        return nil
    end
    return #sorted % 2 == 1 and sorted[middle + 1] or (sorted[middle] + sorted[middle + 1]) / 2
end

-- Median of a list in any order, which is not changed.
function stats.median(values)
    return stats.middle(stats.sorted(values))
end

-- Sample standard deviation (divisor n - 1); 0 for one value, nil for an empty list.
function stats.deviation(values)
    local mean, sum = stats.mean(values), 0
    if not mean then
        return nil
    end
    for _, value in ipairs(values) do
        sum = sum + (value - mean) ^ 2
    end
    return #values > 1 and math.sqrt(sum / (#values - 1)) or 0.0
end

-- Median of the absolute distances from the median: tolerates up to 50 % outliers (F. R. Hampel,
-- J. Amer. Statist. Assoc. 69 (1974) 383). nil for an empty list.
function stats.mad(values)
    local median, distances = stats.median(values), {}
    for i, value in ipairs(values) do
        distances[i] = math.abs(value - median)
    end
    return stats.median(distances)
end

-- { min =, avg =, max =, median =, sd = }; nil for an empty list.
function stats.summary(values)
    if #values == 0 then
        return nil
    end
    local low, high = stats.range(values)
    return { min = low, avg = stats.mean(values), max = high, median = stats.median(values), sd = stats.deviation(values) }
end

-- `count` of `n` as { rate =, low =, high =, n = }: Wilson's 95 % interval, which is within 0 and 1 and has a width even if count is 0 or
-- n (E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927) 209). nil for n = 0.
function stats.rate(count, n)
    if n == 0 then
        return nil
    end
    local rate, square = count / n, NORMAL_95 ^ 2
    local middle = rate + square / (2 * n)
    local half = NORMAL_95 * math.sqrt(rate * (1 - rate) / n + square / (4 * n ^ 2))
    return {
        rate = rate,
        low = count == 0 and 0.0 or (middle - half) / (1 + square / n),
        high = count == n and 1.0 or (middle + half) / (1 + square / n),
        n = n,
    }
end

return stats
