-- blocked_loads_spec.lua - loads that wait for stores: expected counts of store_forwarding and address_aliasing, computed by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

local function points(pattern, kernels)
    return fixture.expected(fixture.planned(pattern, { kernels = kernels }))
end

local function nothing(work)
    return { min = 0, value = 0, max = 0, work = work }
end

describe("store_forwarding", function()
    it("has one load per pair that is not forwarded if the pair was written in halves, else none", function()
        local found = points "store_forwarding"
        assert.equal(4096 * 384, found["halves 4096 384"]["Loads not forwarded"]["0"].value)
        assert.near(4096 / (4 + 7 * 4096), found["halves 4096 384"]["Loads not forwarded per instruction"]["0"].value, 1e-15)
        assert.same(nothing(4096 * 384), found["whole 4096 384"]["Loads not forwarded"]["0"])
        assert.same(nothing(6144 * 512), found["parts 6144 512"]["Loads not forwarded"]["0"])
        assert.same(nothing(1), found["whole 4096 384"]["Loads not forwarded per instruction"]["0"])
    end)

    it("refuses a loop whose pass is not one pair", function()
        for _, what in ipairs { "stores", "loads" } do
            local kernels = fixture.kernels()
            local pass = kernels["store_forwarding:write_halves"].parts.pass
            pass[what] = 2 * pass[what]
            assert.has_error(function() points("store_forwarding", kernels) end)
            pass[what] = pass[what] // 4
            assert.has_error(function() points("store_forwarding", kernels) end)
        end
    end)
end)

describe("address_aliasing", function()
    it("has an aliased load per node except the first, or none half a page apart", function()
        local found = points "address_aliasing"
        assert.equal(512 * 4096 - 1, found["aliased 1 4096"]["Aliased loads"]["0"].value)
        assert.equal(512 * 3 * 3072 - 1, found["aliased 3 3072"]["Aliased loads"]["0"].value)
        assert.near((512 * 4096 - 1) / (3 + 6 * 512 * 4096), found["aliased 1 4096"]["Aliased loads per instruction"]["0"].value, 1e-15)
        assert.same(nothing(512 * 4096), found["apart 1 4096"]["Aliased loads"]["0"])
        assert.same(nothing(1), found["apart 1 4096"]["Aliased loads per instruction"]["0"])
    end)

    it("refuses a loop whose pass is not one node", function()
        for _, what in ipairs { "stores", "loads" } do
            local kernels = fixture.kernels()
            kernels["address_aliasing:follow"].parts.pass[what] = 2
            assert.has_error(function() points("address_aliasing", kernels) end)
        end
    end)
end)
