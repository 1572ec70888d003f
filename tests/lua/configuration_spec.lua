-- configuration_spec.lua - sizes and ways found from the misses of caches that are simulated here, entry by entry.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local boundary = require "events.configuration.boundary"
local capacity = require "events.configuration.capacity"
local compare = require "events.configuration.compare"
local concepts = require "input.concepts"
local miss_expressions = require "events.plan.miss_expressions"
local table_of = require "events.report.configuration"

-- A set-associative array with exact LRU: touch(key) -> what was displaced |nil, whether it was there; take(key) takes one out.
-- Each set is a ring in order of use, closed by the set's own entry, which is negative: newer[ring] is the oldest key.
local function array_of(sets, ways)
    local newer, older, count = {}, {}, {}
    local function take(key)
        local after, before = newer[key], older[key]
        if not after then
            return false
        end
        newer[before], older[after], newer[key], older[key] = after, before, nil, nil
        count[key % sets] = count[key % sets] - 1
        return true
    end
    local function touch(key)
        local set, is_there = key % sets, take(key)
        local ring = -1 - set
        local newest = older[ring] or ring
        newer[newest], older[key], newer[key], older[ring] = key, newest, ring, key
        count[set] = (count[set] or 0) + 1
        local oldest = count[set] > ways and newer[ring] or nil
        if oldest then
            take(oldest)
        end
        return oldest, is_there
    end
    return { touch = touch, take = take }
end

-- Misses of the second of two rounds over n entries; later rounds are the same with LRU,
-- with `others` touched once a round and `hot` after each entry.
local function misses_of(sets, ways, n, others, hot)
    local cache, count = array_of(sets, ways), 0
    for round = 1, 2 do
        for key = 0, n - 1 do
            local _, is_there = cache.touch(key)
            count = count + (round == 2 and not is_there and 1 or 0)
            if hot then
                cache.touch(hot)
            end
        end
        for _, key in ipairs(others or {}) do
            local _, is_there = cache.touch(key)
            count = count + (round == 2 and not is_there and 1 or 0)
        end
    end
    return count
end

-- The same for a level that receives what the level above evicts.
local function misses_of_victim(sets, ways, above, n, others)
    local upper, lower, count = array_of(above.sets, above.ways), array_of(sets, ways), 0
    local function visit(key, is_counted)
        local displaced, is_above = upper.touch(key)
        local is_missed = not is_above and not lower.take(key)
        count = count + (is_missed and is_counted and 1 or 0)
        if displaced then
            lower.touch(displaced)
        end
    end
    for round = 1, 4 do
        for key = 0, n - 1 do
            visit(key, round == 4)
        end
        for _, key in ipairs(others or {}) do
            visit(key, round == 4)
        end
    end
    return count
end

-- Repeats rounds until the capacity is known.
local function search(count, most, more)
    local points, rounds = {}, 0
    while true do
        local found, wanted, reason = capacity.find(points, most, more or {})
        if not wanted then
            return found, reason, rounds
        end
        assert.is_true(#wanted > 0 and rounds < 30)
        rounds = rounds + 1
        for _, n in ipairs(wanted) do
            points[#points + 1] = { n = n, misses = count(n) }
        end
    end
end

describe("the capacity of a cache or TLB", function()
    it("is found for any sets and ways", function()
        for _, case in ipairs { { 64, 8 }, { 32, 12 }, { 128, 2 }, { 256, 1 }, { 16, 4 }, { 2, 8 }, { 4, 3 }, { 1, 64 }, { 1, 16 },
            { 48, 12 }, { 36, 20 }, { 250, 2 } } do
            local found, _, rounds = search(function(n) return misses_of(case[1], case[2], n) end, 2048)
            assert.same({ case[1], case[2], case[1] * case[2] }, { found.sets, found.ways, found.held })
            assert.is_true(rounds <= 6)
        end
    end)

    it("is the same next to a few entries that are touched once a round", function()
        for _, case in ipairs { { 64, 8 }, { 512, 2 }, { 64, 12 }, { 1, 64 } } do
            local others = { 70001, 70002, 70033 }
            local found = search(function(n) return misses_of(case[1], case[2], n, others) end, 2048)
            assert.same(case, { found.sets, found.ways })
        end
    end)

    it("is the same next to other entries in neighbouring sets", function()
        for _, case in ipairs { { 256, 16, 64 }, { 256, 16, 160 }, { 1024, 1, 1010 } } do
            local others = {}
            for i = 1, 6 do
                others[i] = (1 << 20) + case[3] + 2 * i
            end
            local found = search(function(n) return misses_of(case[1], case[2], n, others) end, 16384)
            assert.same({ case[1], case[2] }, { found.sets, found.ways })
        end
    end)

    it("is the same if one set misses less", function()
        for _, case in ipairs { { 64, 8 }, { 128, 4 }, { 256, 16 } } do
            local function count(n)
                return math.max(0, misses_of(case[1], case[2], n) - (case[2] - 1))
            end
            local found = search(count, 8192)
            assert.same(case, { found.sets, found.ways })
        end
    end)

    it("is the same if a few misses vary", function()
        for _, case in ipairs { { 64, 8 }, { 48, 12 }, { 128, 4 } } do
            local found = search(function(n) return misses_of(case[1], case[2], n) + (n > 32 and n * 7919 % 5 - 2 or 0) end, 2048)
            assert.same(case, { found.sets, found.ways })
        end
    end)

    it("is the same next to the walk's own entry, which stays", function()
        for _, case in ipairs { { 64, 8 }, { 16, 8 }, { 32, 4 }, { 1, 64 }, { 2, 16 } } do
            local found = search(function(n) return misses_of(case[1], case[2], n, nil, 70001) end, 4096, { hot = 1 })
            assert.same(case, { found.sets, found.ways })
        end
    end)

    it("of a victim level does not include the level above, whether that has as many sets or not", function()
        for _, case in ipairs { { 256, 11, { sets = 64, ways = 16 } }, { 256, 16, { sets = 16, ways = 8 } },
            { 128, 4, { sets = 64, ways = 4 } } } do
            local above = case[3]
            local found = search(function(n) return misses_of_victim(case[1], case[2], above, n) end, 8192,
                { above = above.sets * above.ways })
            local held = case[1] * (case[2] + above.sets * above.ways // case[1])
            assert.same({ case[1], case[2], held }, { found.sets, found.ways, found.held })
        end
    end)

    it("of a victim level is found although sets with other lines of the program overflow sooner", function()
        local above = { sets = 64, ways = 16 }
        local others = {}
        for i = 1, 5 do
            others[i] = 1000003 + i * 7919
        end
        local found = search(function(n) return misses_of_victim(512, 11, above, n, others) end, 16384,
            { above = above.sets * above.ways })
        assert.same({ 512, 11 }, { found.sets, found.ways })
    end)

    it("is searched with more entries while all are kept", function()
        local known = { { n = 1, misses = 0 }, { n = 64, misses = 0 } }
        local _, wanted = capacity.find(known, 1024, {})
        assert.same({ 128, 256, 512, 1024 }, { table.unpack(wanted) })
    end)

    it("is unknown if nothing misses, or if misses follow another rule", function()
        local _, reason = search(function() return 0 end, 1024)
        assert.equal("1024 entries and more are all kept", reason)
        local _, strange = search(function(n) return n > 100 and n / 1.0 or n / 2 end, 1024)
        assert.truthy(strange)
    end)
end)

describe("where a page begins", function()
    -- Misses of a pair, by its distance in bytes from the array's start.
    local function search_begin(begins, unit, misses)
        local points, count = {}, 0
        while true do
            local found, wanted, reason = boundary.find(points, unit)
            if not wanted then
                return found, reason, count
            end
            count = count + 1
            assert.is_true(#wanted > 0 and #wanted < 16 and count < 6)
            for _, apart in ipairs(wanted) do
                assert.is_true(apart > 0 and apart < unit)
                points[#points + 1] = { apart = apart, misses = misses and misses(apart) or apart < begins and 1.004 or 1.998 }
            end
        end
    end

    it("is found to the byte, in three rounds of a page of 4 KiB", function()
        for _, begins in ipairs { 1, 2, 255, 256, 257, 2868, 4095, 4096 } do
            local found, _, count = search_begin(begins, 4096)
            assert.equal(begins, found)
            assert.is_true(count <= 3)
        end
        assert.equal(11469, search_begin(11469, 16384))
    end)

    it("does not depend on the order of the measurements", function()
        assert.equal(21, boundary.find({ { apart = 20, misses = 1 }, { apart = 30, misses = 2 }, { apart = 21, misses = 2 },
            { apart = 10, misses = 1 }, { apart = 40, misses = 2 } }, 64))
    end)

    it("is unknown if the accesses are not pairs in one page or two", function()
        local _, reason = search_begin(1, 4096, function() return 1.3 end)
        assert.equal("a pair of loads is 1.3 misses, not 1 or 2", reason)
        _, reason = search_begin(1, 4096, function(apart) return apart < 2000 and 2 or 1 end)
        assert.truthy(reason:find("are in one page, and in two", 1, true))
    end)
end)

describe("miss expressions", function()
    local known = concepts.read { text = fixture.text "probes/concepts.txt", file = "probes/concepts.txt" }

    local function said(text)
        return concepts.events { text = text, file = "pmu.concepts", concepts = known }
    end

    local function chosen(text)
        local words, events = said(text), {}
        for line in text:gmatch "[^\n]+" do
            events[#events + 1] = { event = line:match "^%S+" }
        end
        local names = {}
        for part, found in pairs(miss_expressions.choose(events, words)) do
            names[part] = {}
            for i, event in ipairs(found) do
                names[part][i] = event.event
            end
        end
        return names
    end

    it("are single events, else sums of two; never events that count more than the misses", function()
        local names = chosen("ALL = loads\nHALF = loads past L2 + 0.5 lines into L2\nBOTH = requests past L2\nIN = loads from L2\n"
            .. "HIT = second-level TLB hits of loads\nWALK = all page walks of loads\nSTORE = page walks of stores\n")
        assert.same({ L1 = { "BOTH", "IN" }, L2 = { "BOTH" }, DTLB = { "HIT", "WALK" }, STLB = { "WALK" } }, names)
    end)

    -- LIKWID's table of Zen 2 has the walks of fetches with a unit mask of 0, which selects none.
    local LACKING = { ["groups/zen2/pmu.concepts"] = { ITLB = true } }

    it("exist for every part on each architecture with documented events", function()
        for _, path in ipairs(fixture.group_files "groups/*/pmu.concepts") do
            local names = chosen(fixture.text(path):gsub("#[^\n]*", ""):gsub("\n%s*\n", "\n"))
            for _, part in ipairs(miss_expressions.PARTS) do
                local lacks = (LACKING[path] or {})[part.name] or false
                assert.equal(lacks, names[part.name] == nil, path .. " " .. part.name)
            end
        end
    end)
end)

describe("a finding", function()
    local function compared(parts)
        local machine, node = fixture.machine(), fixture.node()
        return compare.find { parts = parts, machine = machine, node = node }, machine, node
    end

    it("is compared with what is stated, and by whom", function()
        local found, machine, node = compared {
            { part = "L1", kind = "cache", level = 1, unit = 64, bytes = 32768, ways = 8, sets = 64, entries = 512, shared = { 0 } },
            { part = "L2", kind = "cache", level = 2, unit = 128, bytes = 1, ways = 1, sets = 1, entries = 1 },
            { part = "DTLB", kind = "TLB", unit = 4096, entries = 63, ways = 4 },
            { part = "pages", kind = "pages", unit = 4096, start = 1228, begins = 2867 },
            { part = "pages", kind = "pages", reason = "their size is not known" },
            { part = "L1I", kind = "cache", reason = "no event is said to show it" },
        }
        assert.same({ "hwloc", "hwloc", "machine file", "address", "machine file" },
            { found[1].by, found[2].by, found[3].by, found[4].by, found[6].by })
        assert.same({ "begins" }, { table.unpack(found[4].differs) }) -- 2868 bytes are left of the page
        assert.is_nil(found[5].stated)
        assert.same({}, { table.unpack(found[1].differs) })
        assert.same({ "unit", "bytes", "ways" }, { table.unpack(found[2].differs) })
        assert.same({ "entries" }, { table.unpack(found[3].differs) })
        assert.equal(machine.processor.dtlb.entries, found[3].stated.entries)
        assert.equal(node.caches[2].size_bytes, found[2].stated.bytes)
        local shared = compared { { part = "L2", kind = "cache", level = 2, unit = 64, bytes = 262144, ways = 8, shared = { 0, 2 } } }
        assert.same({ "shared" }, { table.unpack(shared[1].differs) })
        assert.truthy(table_of.render({ parts = shared }).text:find("lines of 64 B, 2 cores .*differs: sharing"))
        local text = table_of.render { parts = found }.text
        assert.truthy(text:find("L1     32 KiB, 8-way, lines of 64 B, 1 core", 1, true), text)
        assert.truthy(text:find("differs: line or page, size, ways", 1, true), text)
        assert.truthy(text:find("next page 2867 B after the array's start *next page 2868 B .* address *differs: begin"), text)
        assert.truthy(text:find("no event is said to show it", 1, true), text)
    end)
end)
