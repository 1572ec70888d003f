-- Latency-bound access: a chase along a list through all pages, against lists through blocks of them (patterns/latency_bound.c).
-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Each link is one load. A node is a pair of lines, and only the first line is used, so that an adjacent-line prefetcher changes no level
-- that serves a load. All codes follow every list `times` times, so each node is loaded `times` times.
--     random    one list through all pages: between two loads of a line all others are loaded
--     blocked   one list per block of pages. The first time its lines come from the level that holds all lists together, later from the
--               level that holds one block
--     short     lists of other lengths, which are no control of the pattern: one that stays in L1 or L2, or many that L3 holds
-- Lists are rings that are always followed in the same order. A cache or TLB of at most half the ring's size holds nothing of it when the
-- ring starts again; one that is clearly larger than the ring holds all of it. In between nothing is claimed (place_of). Before the region
-- each list was followed once, so the first time is like the others.
--     walks     each link goes to another page, and all pages are visited before one is visited again. With more pages than TLB entries
--               each link is a page walk. A block has fewer pages than the first-level TLB has entries; each page is walked once
--     large     random's list in pages of 2 MiB, all of which fit into the TLBs: the same loads, and no walk
--     large_apart    a list through one small page in each of many large ones: each link goes to another large page, as in random. The
--               pages are too many for the first-level TLB, and the second level holds them
-- The region's own loads (some hundred of the Marker API) are not modelled: they are below the tolerance.
local MOST = 12 -- largest list, in multiples of the last level: larger ones take more time and show nothing else

local function list_pages(at)
    return at.code.whole and at.point.pages or at.point.block
end

local function page_links(at)
    return at.machine.processor.page // pair_bytes(at.node)
end

-- Bytes that certainly fit into each cache if small pages lie in random frames; nil for pages whose frames fill all sets evenly.
local function scattered(at)
    if at.code.large or not are_random(at.node) then
        return nil
    end
    local most = {}
    for number, cache in ipairs(at.node.caches) do
        most[number] = safe_bytes(cache, at.machine.processor.page)
    end
    return most
end

-- Number of the cache that holds all nodes of `pages` pages; the number of caches + 1 for memory; nil if that is uncertain. `most`: bytes
-- that each cache holds, if that is less than place_of assumes.
local function source_of(at, pages, most)
    local sizes = {}
    for number = 1, #at.node.caches do
        sizes[number] = capacity(at.machine, at.node, number, 1)
    end
    local bytes = pages * at.machine.processor.page
    return bytes <= MOST * sizes[#sizes] and place_of(bytes, sizes, most) or nil
end

-- The reason why the node cannot give the code large pages; nil if it can.
local function without_pages(at)
    return at.code.large and not at.node.large_pages
        and { none = "the node gives no large pages (/sys/kernel/mm/transparent_hugepage/enabled)" } or nil
end

-- Loads that caches number `first` to `last` serve; the number after the last cache is memory.
local function served(at, first, last)
    local most = scattered(at)
    local once, again = source_of(at, at.point.pages, most), source_of(at, list_pages(at), most)
    if not once or not again then
        return nil
    end
    local nodes, count = at.point.pages * page_links(at), 0
    for _, part in ipairs { { once, 1 }, { again, at.point.times - 1 } } do
        count = count + (part[1] >= first and part[1] <= last and part[2] * nodes or 0)
    end
    return count
end

local function links(at)
    if at.parts.pass.loads ~= 1 then
        error("a pass of the chase is no link; compile it without unrolling")
    end
    return at.point.pages * page_links(at) * at.point.times
end

-- Instructions of the chases. Those between two chases are negligible.
local function instructions(at)
    return links(at) * at.parts.pass.instructions
end

-- `amount`; if it is 0: none_of() the links.
local function of_links(at, amount)
    return without_pages(at) or amount and (amount > 0 and amount or none_of(links(at)))
end

-- A model of loads from caches number first() to last(); without `last` from all levels after them, too.
local function from(first, last)
    return function(at)
        return of_links(at, served(at, first(at), last and last(at) or math.huge))
    end
end

local function past_l2_per_instruction(at)
    local count = served(at, 3, math.huge)
    return without_pages(at) or count and (count > 0 and count / instructions(at) or none_of(1))
end

local function cache(number)
    return function() return number end
end

local function beyond_last(at)
    return #at.node.caches + 1
end

local function volume_past_l2(at)
    local lines = served(at, 3, math.huge)
    return without_pages(at) or lines and (lines > 0 and with_neighbours(lines * at.node.line_bytes, at.node)
        or none_of(links(at) * at.node.line_bytes))
end

-- Entries of the first-level and second-level TLB for the data's pages.
local function tlb_levels(at)
    local processor = at.machine.processor
    return { (at.code.large and processor.dtlb_large or processor.dtlb).entries, processor.stlb.entries }
end

-- TLB misses of a list with several nodes in each large page: none if the first-level TLB holds all its pages. Otherwise nothing is
-- claimed, because the list visits a large page again before it has visited all others.
local function in_large_pages(at)
    local large = math.ceil(at.point.pages * at.machine.processor.page / at.machine.processor.large_page)
    return place_of(large, tlb_levels(at)) == 1 and none_of(links(at)) or nil
end

-- Translations found in `place`: 1 the first-level TLB, 2 the second level, 3 a page walk. Within a list a page is used again after all
-- other pages of the list; when a list is used again, after all pages of all lists.
local function translated(place)
    return function(at)
        if not at.machine.processor.dtlb then
            return { none = "the TLBs' entries are not known" }
        elseif at.code.large and not at.machine.processor.large_page then
            return { none = "the TLBs' entries for large pages are not known" }
        elseif without_pages(at) then
            return without_pages(at)
        elseif at.code.name == "large" then
            return source_of(at, at.point.pages) and in_large_pages(at)
        end
        local tlbs = tlb_levels(at)
        local once, again = place_of(at.point.pages, tlbs), place_of(list_pages(at), tlbs)
        if not source_of(at, at.point.pages) or not once or not again then
            return nil
        end
        local new = at.point.pages -- links to a page that was not visited before
        return of_links(at, (once == place and new or 0) + (again == place and links(at) - new or 0))
    end
end

return pattern {
    name = "latency_bound",
    title = "Latency-bound access",
    class = "bottleneck",
    about = "Each access needs the data of the access before it, from memory: neither bandwidth nor arithmetic is used.",
    desired = "Loads by the cache that served them, lines into L2, page walks",
    advice = "Give the processor several accesses at a time that do not wait for each other: follow several lists side by "
        .. "side, prefetch the next nodes, replace lists and trees by arrays with indices. Store nodes in the order in "
        .. "which they are visited, and put large data on large pages.",
    codes = {
        code { name = "random", runs = "ring_chase", whole = true },
        code { name = "blocked", runs = "ring_chase" },
        code { name = "short", runs = "ring_chase" },
        code { name = "large", runs = "ring_chase", whole = true, large = true },
        code { name = "large_apart", runs = "ring_chase", whole = true, large = true },
    },
    parameters = { "pages", "block", "times" },
    placements = { "core" },
    points = {
        point { code = "short", pages = 4, block = 4, times = 4096 },
        point { code = "short", pages = 4, block = 4, times = 8192 },
        point { code = "short", pages = 16, block = 16, times = 512, quick = true },
        point { code = "short", pages = 16, block = 16, times = 1024 },
        point { code = "short", pages = 9216, block = 576, times = 8 },
        point { code = "random", pages = 576, block = 576, times = 32, quick = true }, -- fits into L3 on the nodes with the smallest L3
        point { code = "random", pages = 576, block = 576, times = 48 },
        point { code = "random", pages = 4096, block = 4096, times = 6, quick = true },
        point { code = "random", pages = 8192, block = 8192, times = 4 },
        point { code = "random", pages = 17408, block = 17408, times = 4, quick = true }, -- in memory even with the largest L3
        point { code = "random", pages = 32768, block = 32768, times = 4 },
        point { code = "blocked", pages = 8192, block = 4, times = 8, quick = true },
        point { code = "blocked", pages = 8192, block = 16, times = 8, quick = true },
        point { code = "blocked", pages = 10240, block = 4, times = 10 },
        point { code = "blocked", pages = 10240, block = 16, times = 10 },
        point { code = "blocked", pages = 17408, block = 4, times = 8, quick = true },
        point { code = "blocked", pages = 32768, block = 16, times = 8, quick = true }, -- a second point, for nodes with the largest L3
        point { code = "short", pages = 144, block = 144, times = 128, quick = true }, -- second-level TLB hits, in a large L2
        point { code = "large", pages = 8192, block = 8192, times = 4, quick = true },
        point { code = "large", pages = 17408, block = 17408, times = 4, quick = true }, -- for nodes with the largest L3 and large TLBs
        point { code = "large_apart", pages = 144, block = 144, times = 128, quick = true },
        point { code = "large_apart", pages = 288, block = 288, times = 64, quick = true }, -- for an L2 of 512 KiB
        point { code = "large_apart", pages = 192, block = 192, times = 128 },
        point { code = "random", pages = 448, block = 448, times = 40, quick = true }, -- in an L3 of 5 MiB, in frames of any colours
    },
    quantities = {
        quantity { name = "loads from L1", expect = from(cache(1), cache(1)) },
        quantity { name = "loads from L2", expect = from(cache(2), cache(2)) },
        quantity { name = "loads from L3", expect = from(cache(3), cache(3)) },
        quantity { name = "loads past L1", expect = from(cache(2)), optional = true },
        quantity { name = "loads past L2", expect = from(cache(3)) },
        quantity { name = "loads past L2 per instruction", expect = past_l2_per_instruction },
        quantity { name = "loads past L3", expect = from(beyond_last) },
        quantity { name = "L2-L3 load volume", expect = volume_past_l2 },
        quantity { name = "second-level TLB hits", expect = translated(2) },
        quantity { name = "page walks", expect = translated(3) },
    },
    cost = function(at)
        return at.point.pages * page_links(at) * (at.point.times + 3)
    end,
    controls = { present = control { code = "random" }, absent = control { code = "blocked" } },
    signature = "loads past L2 per instruction",
    -- Loads miss L1 and L2, and each of them goes to another page. Streams fail the second test: they use many lines of a page in a row.
    tests = {
        test { quantity = { "loads past L2 per instruction" }, most = 1 },
        test { quantity = { "second-level TLB hits" }, plus = "page walks", per = "loads past L2" },
    },
    -- Accesses that go to another page each time. A set of lines larger than L2 has more pages than the first-level TLB, twice as
    -- many at least if L2 is as large as what the TLB covers: then half of the random accesses miss the TLB.
    explains = explains {
        start = 8e5,
        needs = { "loads from L3", "loads past L3", "loads past L2", "second-level TLB hits", "page walks" },
        cycles = function(at)
            local random = random_part(at.counts)
            local all = costs(at, { "loads from L3", "loads past L3", "page walks" })
            return { random * all[1], math.min(1, 2 * random) * all[2] }
        end,
    },
}
