-- atomic_updates_spec.lua - locked loads of two threads that count keys, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"

local function points(kernels)
    return fixture.expected(fixture.planned("atomic_updates", { kernels = kernels }))
end

describe("atomic_updates", function()
    it("has one locked load per key in each thread, or none", function()
        local found = points()
        for _, cpu in ipairs { "0", "1" } do
            assert.equal(1310720, found["shared 1310720 256"]["Locked loads"][cpu].value)
            assert.near(1310720 / (1 + 5 * 1310720), found["shared 1310720 256"]["Locked loads per instruction"][cpu].value, 1e-15)
            assert.same({ min = 0, value = 0, max = 0, work = 1310720 }, found["own 1310720 256"]["Locked loads"][cpu])
            assert.same({ min = 0, value = 0, max = 0, work = 1 }, found["own 1310720 256"]["Locked loads per instruction"][cpu])
        end
    end)

    it("refuses a loop whose pass is not one key", function()
        for _, what in ipairs { "stores", "loads" } do
            local kernels = fixture.kernels()
            kernels["atomic_updates:count_shared"].parts.pass[what] = 4
            assert.has_error(function() points(kernels) end)
        end
    end)
end)
