-- Cross-checks: which events are known to count right, from other metrics of the same region that use them.
-- SPDX-License-Identifier: GPL-3.0-or-later
local cross_checks = require "judge.blame.cross_checks"

local function term(event, box)
    return { event = event, place = event .. (box or "") }
end

-- A constraint with the expected value 100 in an interval of `width`. shares = { [term] = its share of the value }; `of` = the region's
-- counts, one table for all constraints of the region.
local function item(of, shares, width, more)
    local one = { violated = false, is_ratio = false, scale = 100, tolerance = 0.001, terms = {}, events = {}, nominal = { parts = {} },
        sample = { expected = { min = 100 - (width or 0) / 2, max = 100 + (width or 0) / 2 } }, entries = { { counts = of } } }
    for own, share in pairs(shares) do
        one.terms[own], one.events[own.event] = true, true
        table.insert(one.nominal.parts, { term = own, g = share, h = 0 })
    end
    for key, value in pairs(more or {}) do
        one[key] = value
    end
    return one
end

describe("a cross-check", function()
    local A, B, here, there = term "A", term "B", {}, {}

    it("bounds the error of its metric's only event, in its region, by the smallest detectable error", function()
        local found = cross_checks.survey { item(here, { [A] = 1 }, 2) }
        assert.near(0.021, cross_checks.share(found.sure, item(here, { [A] = 0.3, [B] = 0.7 }), "A"), 1e-9)
        assert.near(0.021, cross_checks.share(found.likely, item(here, { [A] = 1 }), "A"), 1e-9)
        assert.is_nil(cross_checks.share(found.sure, item(there, { [A] = 1 }), "A"))
        assert.is_nil(cross_checks.share(found.sure, item(here, { [B] = 1 }), "B"))
    end)

    it("does not exist if the metric is wrong, has an interval wider than 5 %, or is a ratio of two threads", function()
        for _, one in ipairs { item(here, { [A] = 1 }, 0, { violated = true }), item(here, { [A] = 1 }, 6),
            item(here, { [A] = 1 }, 0, { is_ratio = true }) } do
            local found = cross_checks.survey { one }
            assert.same({ sure = {}, likely = {} }, found)
        end
    end)

    it("makes the largest event of a sum likely, and certain once the other terms are certain", function()
        local sum = item(here, { [A] = 0.8, [B] = 0.2 })
        local found = cross_checks.survey { sum }
        assert.near(0.001 / 0.8, cross_checks.share(found.likely, sum, "A"), 1e-9)
        assert.is_nil(cross_checks.share(found.sure, sum, "A"))
        assert.is_nil(cross_checks.share(found.likely, sum, "B"))
        found = cross_checks.survey { sum, item(here, { [B] = 1 }, 4) }
        assert.near((0.001 + 0.2 * 0.041) / 0.8, cross_checks.share(found.sure, sum, "A"), 1e-9)
    end)

    it("of a sum over boxes does not bound a single box; one of a single box does", function()
        local first, second = term("A", "0"), term("A", "1")
        local sum, one = item(here, { [first] = 0.5, [second] = 0.5 }), item(here, { [first] = 1 }, 1)
        local found = cross_checks.survey { sum }
        assert.near(0.001, cross_checks.share(found.sure, sum, "A"), 1e-9)
        assert.is_nil(cross_checks.share(found.sure, one, "A"))
        for _, list in ipairs { { sum, one }, { one, sum } } do
            found = cross_checks.survey(list)
            assert.near(0.011, cross_checks.share(found.sure, one, "A"), 1e-9)
            assert.near(0.001, cross_checks.share(found.sure, sum, "A"), 1e-9)
        end
        found = cross_checks.survey { one, item(here, { [second] = 1 }, 2) }
        assert.near(0.021, cross_checks.share(found.sure, sum, "A"), 1e-9) -- the larger error of the two known events
    end)
end)
