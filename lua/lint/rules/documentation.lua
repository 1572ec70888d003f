-- documentation.lua - a formula in LONG disagrees with the metric of that name. SPDX-License-Identifier: GPL-3.0-or-later
--
-- LONG writes events where METRICS has counters; SUM(EVENT) or the plain name is the sum of all counters with the event. Lines with other
-- names are not compared.
local formula = require "input.formula"
local linted = require "lint.linted"
local lists = require "input.lists"

local SAME = { runtime = "time", ["1/clock"] = "inverseClock" }

-- Values of the words in LONG: sums of the counters' values.
local function values_of(group, round)
    local counters, values = linted.VALUES[round], {}
    for _, event in ipairs(group.events) do
        values[event.name] = counters[event.name]
        values[event.key] = (values[event.key] or 0) + counters[event.name]
    end
    for _, events in ipairs(lists.group(group.events, "event")) do
        local name = events[1].event
        values[name] = values[name] or lists.sum(events, function(event) return counters[event.name] end)
    end
    for _, name in ipairs { "time", "inverseClock", "num_numadomains", "num_sockets" } do
        values[name] = counters[name]
    end
    return values
end

local function parse(text)
    text = text:gsub("%s+", ""):gsub("[Ss][Uu][Mm]%(", "("):gsub("1/clock", "inverseClock"):gsub("%f[%a]runtime%f[%A]", SAME.runtime)
    local ok, parsed = pcall(formula.parse, text)
    return ok and parsed or nil
end

local function compare(values, metric, parsed)
    local found
    for round = 1, 2 do
        local written = formula.evaluate(parsed, values[round])
        local own = formula.evaluate(metric.parsed, linted.VALUES[round])
        if not written or not own or written == 0 then
            return true
        end
        if found and math.abs(own / written / found - 1) > 1e-9 then
            return false
        end
        found = own / written
    end
    return math.abs(found - 1) < 1e-6, found
end

return {
    name = "documentation", class = "S15", severity = "warning", about = "group",
    title = "a formula in LONG is not that of the metric",
    check = function(group, say)
        local by_title, number = {}, (group.long_line or 1) - 1
        local values = { values_of(group, 1), values_of(group, 2) }
        for _, metric in ipairs(group.metrics) do
            by_title[metric.title], by_title[metric.name] = metric, metric
        end
        for line in (group.long .. "\n"):gmatch "(.-)\n" do
            number = number + 1
            local title, text = line:match "^%s*(.-)%s*=%s*(.-)%s*$"
            local metric = title and by_title[title]
            local parsed = metric and #metric.parsed.names > 0 and parse(text)
            local same, factor = true, nil
            if parsed then
                same, factor = compare(values, metric, parsed)
            end
            if not same then
                say(number, ("LONG gives another formula for '%s' than METRICS in line %d"):format(title, metric.line),
                    factor and ("the metric is %s of what is documented"):format(linted.times(factor))
                    or "their quotient depends on the counts", nil, not factor and "note" or nil)
            end
        end
    end,
}
