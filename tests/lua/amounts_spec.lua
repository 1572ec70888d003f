-- amounts_spec.lua - what models say of amounts, by hand. SPDX-License-Identifier: GPL-3.0-or-later
local amounts = require "model.amounts"

describe("amounts", function()
    it("of weighted events include the code that runs once, and all passes", function()
        local parts = { constant = { adds = 3, loads = 1 }, pass = { adds = 5, loads = 2 } }
        assert.equal(3 + 10 * 5, amounts.executed(parts, 10, { adds = 1 }))
        assert.equal(2 * (3 + 10 * 5) + 0.5 * (1 + 10 * 2), amounts.executed(parts, 10, { adds = 2, loads = 0.5 }))
    end)

    it("of lines have a level if each cache holds all or none of them, else none", function()
        local sizes = { 100, 1000 }
        assert.same({ 1, 1, 2, 3 }, { amounts.place_of(10, sizes), amounts.place_of(60, sizes), amounts.place_of(200, sizes),
            amounts.place_of(2000, sizes) })
        for _, between in ipairs { 61, 199, 601, 1999 } do
            assert.is_nil(amounts.place_of(between, sizes), between)
        end
    end)

    it("are not certain to fit into a cache of which only a part may be usable", function()
        local sizes, most = { 100, 1000 }, { 20, 700 }
        assert.same({ 1, 2, 2 }, { amounts.place_of(20, sizes, most), amounts.place_of(200, sizes, most),
            amounts.place_of(600, sizes, most) })
        assert.is_nil(amounts.place_of(21, sizes, most))
        assert.is_nil(amounts.place_of(601, sizes, most))
    end)

    it("of lines in some of the boxes, scaled up, differ by the lines that remain of whole rounds", function()
        assert.same({ low = 0, high = 0 }, amounts.uneven_lines(5, nil))
        for lines = 0, 17 do
            for seen = 1, 8 do
                local least, most = math.huge, -math.huge
                for first = 0, 7 do -- where the lines begin: count those in boxes 0 to seen - 1
                    local count = 0
                    for line = first, first + lines - 1 do
                        count = count + (line % 8 < seen and 1 or 0)
                    end
                    least, most = math.min(least, count), math.max(most, count)
                end
                local found = amounts.uneven_lines(lines, { seen = seen, of = 8 })
                assert.near(lines - least * 8 / seen, found.low, 1e-9)
                assert.near(most * 8 / seen - lines, found.high, 1e-9)
            end
        end
    end)

    it("per instruction are quotients; none_of() anything becomes none_of(1)", function()
        assert.equal(0.25, amounts.per_instruction(5, 20))
        assert.same({ min = 0, value = 0, max = 0, work = 1 }, amounts.per_instruction(amounts.none_of(9), 20))
    end)

    it("of lines that prefetchers fetch past a stream depend on which prefetchers may be on", function()
        local function past(node)
            return { amounts.lines_past(node, 1), amounts.lines_past(node, 2) }
        end
        assert.same({ 0, 0 }, past { kind = "virtual" })
        assert.same({ 2, 23 }, past { kind = "native" }) -- next line, next address; 20 of the streamer, a neighbour
        local some = "HW_PREFETCHER off, CL_PREFETCHER on, DCU_PREFETCHER on, IP_PREFETCHER off"
        assert.same({ 1, 2 }, past { kind = "virtual", prefetchers = some })
    end)
end)
