-- majority_spec.lua - constants that are right in most codes, from items made by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
require "fixture"
local majority = require "judge.blame.majority"

-- An item of one region in a place: what was counted, and what is true, give or take one.
local function item(code, counted, truth)
    return { place = code, rows = { { parts = { { g = counted, h = 1 } }, low = truth - 1, high = truth + 1, slack = 0, base = 0 } } }
end

-- { code = { true counts } } as items of an event that counts wrong(true count).
local function items_of(codes, wrong)
    local list = {}
    for code, counts in pairs(codes) do
        for _, truth in ipairs(counts) do
            list[#list + 1] = item(code, wrong(code, truth), truth)
        end
    end
    return list
end

local CODES = { copy = { 10000, 20000 }, load = { 30000, 50000 }, store = { 70000, 90000 } }

local function find(wrong)
    return { majority.find(items_of(CODES, wrong)) }
end

describe("the constants of most codes", function()
    it("do not exist if the event is right", function()
        assert.same({ false, {} }, find(function(_, truth) return truth end))
    end)

    it("are a factor, an offset, or both", function()
        for _, constants in ipairs { { 2, 0 }, { 0.6, 0 }, { 1, 4000 }, { 1.5, -3000 } } do
            assert.same({ true, {} }, find(function(_, truth) return constants[1] * truth + constants[2] end))
        end
    end)

    it("are those of the only code", function()
        local function of(wrong)
            return { majority.find({ item("copy", wrong(10000), 10000), item("copy", wrong(20000), 20000) }) }
        end
        assert.same({ true, {} }, of(function(truth) return 2 * truth end))
        assert.same({ true, {} }, of(function(truth) return truth + 4000 end))
        assert.same({}, of(function(truth) return 2 * truth + 4000 end)) -- two counts are not enough for two constants
    end)

    it("do not count exceptional codes, and name them", function()
        assert.same({ true, { load = true } }, find(function(code, truth) return code == "load" and truth or 2 * truth end))
        assert.same({ false, { load = true } }, find(function(code, truth) return code == "load" and 2 * truth or truth end))
    end)

    it("do not exist if fewer than half of the codes agree", function()
        local factors = { copy = 2, load = 3, store = 0.5 }
        assert.same({}, find(function(code, truth) return factors[code] * truth + truth % 7 * 1000 end))
        local two = { item("copy", 10000, 10000), item("copy", 20000, 20000), item("load", 60000, 30000), item("load", 90000, 50000) }
        assert.is_nil(majority.find(two))
    end)
end)
