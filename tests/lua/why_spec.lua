-- why_spec.lua - the terms of expected intervals, as they are printed. SPDX-License-Identifier: GPL-3.0-or-later
local records = require "records"
local why = require "report.text.why"

local function sample(more)
    local one = records.sample { metric = "volume", unit = "GBytes", measured = 1 }
    for key, value in pairs(more) do
        one[key] = value
    end
    return one
end

local function lines_of(samples, metric)
    local lines = {}
    for line in why.render({ record = { samples = samples }, metric = metric or "volume" }).text:gmatch "[^\n]+" do
        lines[#lines + 1] = line:gsub("%s+", " ")
    end
    return lines
end

describe("why", function()
    it("prints each term of an interval in % of the nominal value, once for equal samples", function()
        local terms = { { name = "begin", amount = -0.1 }, { name = "slices", amount = 0.05 } }
        local expected = { min = 0.9, value = 1, max = 1.05, terms = terms }
        local lines = lines_of {
            sample { expected = expected }, sample { expected = expected, rep = 2 },
            sample { point = "p1.difference", expected = { min = 2, value = 2, max = 2 } },
            sample { metric = "other", expected = expected },
        }
        assert.same({ "point expected from to terms", "line_sharing: volume of G, shared, on S0:2",
            "shared.S0.2.p1 1 GB -10 % +5 % begin -10 %, slices +5 %", "p1.difference 2 GB 0 % 0 % exact" }, lines)
    end)

    it("shows amounts if 0 is expected, both ends of a term, and the part that no term explains", function()
        local both = { { name = "s", amount = -1 }, { name = "s", amount = 1 } }
        local lines = lines_of {
            sample { expected = { min = 0, value = 0, max = 0.5, terms = { { name = "begin", amount = 0.5 } } } },
            sample { point = "b", expected = { min = 9, value = 10, max = 11, terms = both } },
            sample { point = "c", expected = { min = 9, value = 10, max = 11 } },
        }
        assert.equal("shared.S0.2.p1 0 B 0 B +500 MB begin +500 MB", lines[3])
        assert.equal("b 10 GB -10 % +10 % s -10 % +10 %", lines[4])
        assert.equal("c 10 GB -10 % +10 % the model does not say", lines[5])
    end)

    it("lists existing metrics, or says that the record has none", function()
        local samples = { sample { expected = { min = 1, value = 1, max = 1 } }, sample { metric = "other" } }
        assert.has_error(function() lines_of(samples, "none") end,
            "no sample of 'none' has an expectation; the record's metrics are volume; other")
        assert.has_error(function() lines_of({}, "volume") end,
            "the record has no samples, and so no expectations; name one that assay compact did not make")
    end)
end)
