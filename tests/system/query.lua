-- query.lua - lua5.4 query.lua RECORD.json CODE: checks on a record. CODE sees the record and
--   check(truth, what)     fails the test with `what` if `truth` is false or nil
--   each { key = value }   iterates over the metrics with these values (for); one { .. } returns the only one
--   worst(metric)          largest |error| or residue in %; near(a, b, relative) compares numbers
--   sharp(wanted, share, count)  `count` metrics are validated within 0.1 %, and a factor of 1 +- share would have been detected
-- SPDX-License-Identifier: GPL-3.0-or-later
local json = dofile((arg[0]:gsub("system/query.lua$", "json.lua")))
local record = json.read(arg[1])
local tools = setmetatable({ record = record }, { __index = _G })

function tools.check(truth, what)
    if not truth then
        io.stderr:write(debug.traceback(tostring(what)), "\n")
        os.exit(1)
    end
end

function tools.each(wanted)
    local found = {}
    for _, metric in ipairs(record.metrics) do
        local fits = true
        for key, value in pairs(wanted) do
            fits = fits and metric[key] == value
        end
        found[#found + 1] = fits and metric or nil
    end
    tools.check(#found > 0, "no such metric")
    return ipairs(found)
end

function tools.one(wanted)
    local count, last = 0, nil
    for _, metric in tools.each(wanted) do
        count, last = count + 1, metric
    end
    tools.check(count == 1, count .. " such metrics")
    return last
end

function tools.worst(metric)
    local largest = 0
    for _, errors in pairs { metric.error_pct or false, metric.residue_pct or false } do
        largest = errors and math.max(largest, math.abs(errors.min), math.abs(errors.max)) or largest
    end
    tools.check(metric.n > 0, "no sample of " .. tostring(metric.metric))
    return largest
end

-- Validated; or untested, where nothing but 0 is expected; or right within what the cores are free to do, which `free` says of a pattern or
-- a code.
function tools.good(metric, free)
    if metric.verdict == "untested" then
        return metric.expected.max == 0
    end
    return metric.verdict == "validated" or free ~= nil and (free[metric.pattern] or free[metric.code]) and metric.class == "exact"
end

-- Of exact ones the others are untested, as nothing but 0 is expected of them.
function tools.sharp(wanted, share, count)
    local validated = 0
    wanted.class = "exact"
    for _, metric in tools.each(wanted) do
        local what = ("%s %s: %s"):format(metric.code, metric.metric, metric.verdict)
        tools.check(metric.verdict == (metric.expected.max > 0 and "validated" or "untested"), what)
        tools.check(tools.worst(metric) <= 0.1, what)
        if metric.verdict == "validated" then
            validated = validated + 1
            tools.check(metric.resolution.factor_up <= 1 + share and metric.resolution.factor_down >= 1 - share, what)
        end
    end
    tools.check(validated == count, validated .. " are validated")
end

function tools.near(a, b, relative)
    return math.abs(a - b) <= relative * math.abs(b)
end

assert(load(arg[2], "=query", "t", tools))()
