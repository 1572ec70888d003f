-- stats.lua - mean, median, standard deviation and least-squares line of lists of numbers.
-- SPDX-License-Identifier: GPL-3.0-or-later
local stats = {}

-- Smallest and largest value; nil for an empty list.
function stats.range(values)
    local low, high = values[1], values[1]
    for _, value in ipairs(values) do
        low, high = math.min(low, value), math.max(high, value)
    end
    return low, high
end

-- Arithmetic mean; nil for an empty list.
function stats.mean(values)
    local sum = 0
    for _, value in ipairs(values) do
        sum = sum + value
    end
    return #values > 0 and sum / #values or nil
end

-- Middle value, or the mean of the two in the middle; nil for an empty list. The list is left as it is.
function stats.median(values)
    local sorted = table.move(values, 1, #values, 1, {})
    table.sort(sorted)
    local middle = #sorted // 2
    if #sorted == 0 then
        return nil
    end
    return #sorted % 2 == 1 and sorted[middle + 1] or (sorted[middle] + sorted[middle + 1]) / 2
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

-- Least-squares line y = offset + factor * x over pairs (xs[i], ys[i]). Returns { offset =, factor =, r2 = share of the
-- variance that the line explains, absent if y does not vary }, or nil with fewer than three different x: two
-- always lie on a line and show nothing.
function stats.fit(xs, ys)
    local different, count = {}, 0
    for _, x in ipairs(xs) do
        count = count + (different[x] and 0 or 1)
        different[x] = true
    end
    if count < 3 then
        return nil
    end
    local mean_x, mean_y = stats.mean(xs), stats.mean(ys)
    local xx, xy, yy = 0, 0, 0
    for i, x in ipairs(xs) do
        xx = xx + (x - mean_x) ^ 2
        xy = xy + (x - mean_x) * (ys[i] - mean_y)
        yy = yy + (ys[i] - mean_y) ^ 2
    end
    local factor = xy / xx
    return { offset = mean_y - factor * mean_x, factor = factor, r2 = yy > 0 and xy * xy / (xx * yy) or nil }
end

return stats
