-- colours.lua - how much of a physically indexed cache data in random frames may fill.
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Pages of one colour share their sets. A cache with W ways has C = size / (W * page) colours and holds W pages of each. The kernel hands
-- out frames of any colour, so of n pages a colour gets Binomial(n, 1 / C). By the union bound
--     P(some colour gets more than W) <= C * P(Binomial(n, 1 / C) > W)
-- A hash of addresses over slices scatters a page's lines; a set then gets lines by the same distribution.
local colours = {}

local CHANCE = 1e-3 -- of a colour with too many pages that sizes may have

-- P(Binomial(n, p) > k).
local function upper_tail(n, p, k)
    local term, below = (1 - p) ^ n, 0
    for i = 0, math.min(k, n) do
        below = below + term
        term = term * (n - i) / (i + 1) * p / (1 - p)
    end
    return math.max(0, 1 - below)
end

-- Bound of the probability that `pages` pages in random frames are too many for some colour. cache: { size_bytes =, ways = }.
function colours.overflow(pages, cache, page)
    local count = cache.size_bytes // (cache.ways * page)
    if count <= 1 then
        return pages > cache.ways and 1 or 0
    end
    return math.min(1, count * upper_tail(pages, 1 / count, cache.ways))
end

-- May the node hand out pages in random frames? A virtual node does if told so.
function colours.are_random(node)
    return node.kind ~= "virtual" or node.random_pages == true
end

-- Most bytes of data in random frames that the cache holds but for a chance of CHANCE; all of it if its ways are not known.
function colours.safe_bytes(cache, page)
    if not cache.ways or cache.ways < 1 then
        return cache.size_bytes
    end
    local holds, more = 0, cache.size_bytes // page + 1
    while more - holds > 1 do
        local middle = (holds + more) // 2
        if colours.overflow(middle, cache, page) <= CHANCE then
            holds = middle
        else
            more = middle
        end
    end
    return holds * page
end

return colours
