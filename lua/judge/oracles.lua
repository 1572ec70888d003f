-- oracles.lua - one quantity, up to four counts: reported by LIKWID, predicted by the model, counted in the code, simulated.
-- SPDX-License-Identifier: GPL-3.0-or-later
local lists = require "input.lists"
local stats = require "numeric.stats"

local oracles = {}

-- Values of a key over samples; nil if a sample lacks it, because means are only comparable over the same samples.
local function column(samples, key)
    local values = lists.collect(samples, key)
    return #values == #samples and values or nil
end

-- Samples of one metric -> { reported =, predicted =, counted = |nil, simulated = |nil }: means over samples with a value and an
-- expectation; nil if there is neither a direct count nor a simulated one.
function oracles.summary(samples)
    local seen = lists.filter(samples, function(sample) return sample.measured and sample.expected end)
    local counted, simulated = column(seen, "counted"), column(seen, "simulated")
    if #seen == 0 or not (counted or simulated) then
        return nil
    end
    return {
        reported = stats.mean(column(seen, "measured")),
        predicted = stats.mean(lists.map(seen, function(sample) return sample.expected.value end)),
        counted = counted and stats.mean(counted),
        simulated = simulated and stats.mean(simulated),
    }
end

return oracles
