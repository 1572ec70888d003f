-- colours_spec.lua - pages in random frames: closed forms, and a simulation of random placements. SPDX-License-Identifier: GPL-3.0-or-later
local colours = require "model.colours"

local PAGE = 4096
local L2 = { size_bytes = 256 << 10, ways = 8 } -- 8 colours

-- Share of `draws` placements of `pages` pages in which a colour gets more pages than the cache has ways.
local function drawn(pages, cache, draws)
    local count, too_many = cache.size_bytes // (cache.ways * PAGE), 0
    for _ = 1, draws do
        local held, is_over = {}, false
        for _ = 1, pages do
            local colour = math.random(count)
            held[colour] = (held[colour] or 0) + 1
            is_over = is_over or held[colour] > cache.ways
        end
        too_many = too_many + (is_over and 1 or 0)
    end
    return too_many / draws
end

describe("colours", function()
    it("with 2 of 2 ways: three pages are of one colour in 2 of 8 placements", function()
        local cache = { size_bytes = 4 * PAGE, ways = 2 }
        assert.near(1 / 4, colours.overflow(3, cache, PAGE), 1e-12)
        assert.near(0, colours.overflow(2, cache, PAGE), 1e-12)
    end)

    it("do not matter where there is only one", function()
        local first = { size_bytes = 32 << 10, ways = 8 }
        assert.same({ 0, 1, 32 << 10 }, { colours.overflow(8, first, PAGE), colours.overflow(9, first, PAGE),
            colours.safe_bytes(first, PAGE) })
    end)

    it("get too many pages about as often as the bound says", function()
        math.randomseed(7)
        for pages, least in pairs { [24] = 0.5, [32] = 0.8, [40] = 0.6 } do
            local bound, seen = colours.overflow(pages, L2, PAGE), drawn(pages, L2, 5000)
            assert.is_true(seen <= bound * 1.2 and seen >= bound * least, pages .. " pages: " .. seen .. ", bound " .. bound)
        end
    end)

    it("give the largest size that fits in all but one of a thousand placements", function()
        for _, cache in ipairs { L2, { size_bytes = 5 << 20, ways = 20 }, { size_bytes = 35 << 20, ways = 20 } } do
            local pages = colours.safe_bytes(cache, PAGE) // PAGE
            assert.is_true(colours.overflow(pages, cache, PAGE) <= 1e-3)
            assert.is_true(colours.overflow(pages + 1, cache, PAGE) > 1e-3)
        end
        assert.is_true(drawn(colours.safe_bytes(L2, PAGE) // PAGE, L2, 5000) < 3e-3)
        assert.equal(1 << 20, colours.safe_bytes({ size_bytes = 1 << 20 }, PAGE)) -- unknown ways
    end)
end)
