-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local stats = require "numeric.stats"

local oracles = {}

-- Values of a key over samples; nil if a sample lacks it, because means are only comparable over the same samples.
local function column(samples, key)
    local values = {}
    for i, sample in ipairs(samples) do
        values[i] = sample[key]
        if not values[i] then
            return nil
        end
    end
    return values
end

-- Samples of one metric -> { reported =, predicted =, counted = |nil, simulated = |nil }: means over samples with a value and an
-- expectation; nil if there is neither a direct count nor a simulated one.
function oracles.summary(samples)
    local seen, predicted = {}, {}
    for _, sample in ipairs(samples) do
        if sample.measured and sample.expected then
            seen[#seen + 1], predicted[#predicted + 1] = sample, sample.expected.value
        end
    end
    local counted, simulated = column(seen, "counted"), column(seen, "simulated")
    if #seen == 0 or not (counted or simulated) then
        return nil
    end
    return {
        reported = stats.mean(column(seen, "measured")),
        predicted = stats.mean(predicted),
        counted = counted and stats.mean(counted),
        simulated = simulated and stats.mean(simulated),
    }
end

return oracles
