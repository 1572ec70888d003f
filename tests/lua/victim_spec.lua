-- victim_spec.lua - traffic, capacities and sizes of a last level that is filled by victims, next to an inclusive one, by hand.
-- SPDX-License-Identifier: GPL-3.0-or-later
local fixture = require "fixture"
local machines = require "machines"
local model = require "model.traffic"
local sizes = require "plan.sizes"

local MIB = 1 << 20

describe("the traffic of every kernel, in streams", function()
    -- streams: { loaded at each boundary, written, written past the caches }; a stream is 1000 lines, swept 100 times
    local KERNELS = { load = { 1, 0, 0 }, store = { 1, 1, 0 }, copy = { 2, 1, 0 }, triad = { 4, 1, 0 }, store_nt = { 0, 0, 1 },
        copy_nt = { 1, 0, 1 } }
    local victim, inclusive = machines.victim(), machines.inclusive()

    local function value(machine, code, level, boundary, direction)
        local point = { level = level, stream_bytes = 64000, passes = 100, threads = 1, warm = true }
        local node = machines.node(machine, 1, 1, 4)
        return model.traffic(fixture.streams[code], machine, node, point, boundary, direction).value_bytes / 6400000
    end

    local function check(machine, code, level, boundary, load, evict)
        assert.same({ load, evict, load + evict }, { value(machine, code, level, boundary, "load"),
            value(machine, code, level, boundary, "evict"), value(machine, code, level, boundary, "total") })
    end

    for code, streams in pairs(KERNELS) do
        it(code .. ": L1 evicts modified lines", function()
            for _, machine in ipairs { victim, inclusive } do
                for _, level in ipairs { "L2", "L3", "MEM" } do
                    check(machine, code, level, "L1-L2", streams[1], streams[2])
                end
            end
        end)

        it(code .. ": L2 evicts all lines to a victim level, but only modified lines to an inclusive level", function()
            for _, level in ipairs { "L3", "MEM" } do
                check(victim, code, level, "L2-L3", streams[1], streams[1])
                check(inclusive, code, level, "L2-L3", streams[1], streams[2])
            end
            check(victim, code, "L2", "L2-L3", 0, 0)
        end)

        it(code .. ": memory has reads, writes of modified lines, and writes past the caches", function()
            for _, machine in ipairs { victim, inclusive } do
                check(machine, code, "MEM", "L3-MEM", streams[1], streams[2] + streams[3])
                check(machine, code, "L3", "L3-MEM", 0, streams[3])
            end
        end)

        it(code .. ": victims are clean or modified", function()
            assert.equal(streams[1] - streams[2], value(victim, code, "MEM", "L2-L3", "clean victims"))
            assert.equal(streams[2], value(victim, code, "MEM", "L2-L3", "modified victims"))
            assert.equal(0, value(inclusive, code, "MEM", "L2-L3", "clean victims"))
            -- what was written once and stays in L2 and L3 is modified as long as it does
            assert.equal(0, value(victim, code, "L3", "L2-L3", "clean victims"))
            assert.equal(streams[1], value(victim, code, "L3", "L2-L3", "modified victims"))
            assert.equal(streams[2], value(inclusive, code, "L3", "L2-L3", "modified victims"))
        end)
    end
end)

describe("the interval at a victim level", function()
    local machine = machines.victim()
    local node = machines.node(machine, 1, 1, 4)

    local function of(code, level, boundary, direction, written)
        local point = { level = level, stream_bytes = 1048576, passes = 10, threads = 1, warm = true }
        point.written = written
        local bytes = model.traffic(fixture.streams[code], machine, node, point, boundary, direction)
        return { min_bytes = bytes.min_bytes, value_bytes = bytes.value_bytes, max_bytes = bytes.max_bytes }
    end

    it("is what L1 and L2 keep, 557056 bytes of copy's 2 MiB, a share of 0.265625", function()
        local kept = 2 * MIB * 0.265625
        local load, evict, total = of("copy", "L3", "L2-L3", "load"), of("copy", "L3", "L2-L3", "evict"), of("copy", "L3", "L2-L3", "total")
        assert.same({ min_bytes = 20 * MIB - kept, value_bytes = 20 * MIB, max_bytes = 20 * MIB }, load)
        assert.same({ min_bytes = 20 * MIB - kept, value_bytes = 20 * MIB, max_bytes = 20 * MIB + kept }, evict)
        assert.same({ min_bytes = 40 * MIB - 2 * kept, value_bytes = 40 * MIB, max_bytes = 40 * MIB + kept }, total)
    end)

    it("allows that lines in L2 and L3 were modified before", function()
        local kept = 2 * MIB * 0.265625
        assert.same({ min_bytes = 10 * MIB - kept, value_bytes = 20 * MIB, max_bytes = 20 * MIB + kept },
            of("copy", "L3", "L2-L3", "modified victims"))
        assert.same({ min_bytes = 0, value_bytes = 0, max_bytes = 10 * MIB + kept / 2 }, of("copy", "L3", "L2-L3", "clean victims"))
    end)

    it("takes lines in L2 and L3 as modified if the program wrote all streams before", function()
        local kept = 2 * MIB * 0.265625
        assert.same({ min_bytes = 20 * MIB - kept, value_bytes = 20 * MIB, max_bytes = 20 * MIB + kept },
            of("copy", "L3", "L2-L3", "modified victims", true))
        assert.same({ min_bytes = 0, value_bytes = 0, max_bytes = 0 }, of("copy", "L3", "L2-L3", "clean victims", true))
    end)

    it("keeps as much of data in memory as L1, L2 and L3 hold together", function()
        -- copy, two streams of 32 MiB: 32 KiB + 512 KiB + 8 MiB of 64
        local point = { level = "MEM", stream_bytes = 32 * MIB, passes = 10, threads = 1, warm = true }
        local load = model.traffic(fixture.streams.copy, machine, node, point, "L3-MEM", "load")
        assert.near(640 * MIB - (32768 + 524288 + 8 * MIB), load.min_bytes, 1e-6)
        assert.equal(640 * MIB, load.max_bytes)
    end)

    it("fetches no line for a store if the level above does not", function()
        local plain = machines.victim()
        plain.levels[3].write_allocate = false
        local point = { level = "MEM", stream_bytes = 64000, passes = 100, threads = 1, warm = true }
        for _, boundary in ipairs { "L2-L3", "L3-MEM" } do
            assert.equal(0, model.traffic(fixture.streams.store, plain, node, point, boundary, "load").value_bytes)
        end
    end)
end)

describe("model.capacity", function()
    local victim, inclusive = machines.victim(), machines.inclusive()

    it("adds up levels that hold different lines, but counts an inclusive level alone", function()
        assert.equal(32768 + 524288 + 8 * MIB, model.capacity(victim, machines.node(victim, 1, 2, 4), 3, 1))
        assert.equal(32768 + 524288, model.capacity(victim, machines.node(victim, 1, 2, 4), 2, 1))
        assert.equal(8 * MIB, model.capacity(inclusive, machines.node(inclusive, 1, 1, 4), 3, 1))
    end)

    it("has one last level for each domain with threads", function()
        local node = machines.node(victim, 2, 2, 4) -- CPUs 0-3, 4-7, 8-11, 12-15
        local private = 32768 + 524288
        for _, case in ipairs { { { 0 }, 1 }, { { 0, 1 }, 1 }, { { 0, 4 }, 2 }, { { 0, 3, 4, 15 }, 3 }, { { 8, 9, 10, 11 }, 1 } } do
            local cpus, domains = case[1], case[2]
            assert.equal(#cpus * private + domains * 8 * MIB, model.capacity(victim, node, 3, cpus))
            assert.equal(#cpus * private, model.capacity(victim, node, 2, cpus))
        end
        assert.equal(4 * private + 8 * MIB, model.capacity(victim, node, 3, 4)) -- in order
        assert.equal(5 * private + 16 * MIB, model.capacity(victim, node, 3, 5))
    end)

    it("counts a level above the last once if neighbours share it", function()
        local node = machines.node(victim, 1, 1, 4)
        node.caches[2].shared_by_cores = 2
        assert.equal(3 * 32768 + 2 * 524288, model.capacity(victim, node, 2, { 0, 1, 3 }))
        assert.equal(2 * 32768 + 524288, model.capacity(victim, node, 2, { 2, 3 }))
    end)
end)

describe("model.slice", function()
    it("bounds the lines of some of several interleaved channels, counted line by line", function()
        for _, case in ipairs { { 1000, 8, 4 }, { 1003, 8, 4 }, { 7, 8, 3 }, { 65, 6, 2 } } do
            local lines, channels, seen = case[1], case[2], case[3]
            local bytes = 64 * lines * 10
            local all = { min_bytes = bytes, value_bytes = bytes, max_bytes = bytes }
            local share = model.slice(all, channels, { stream_bytes = 64 * lines, passes = 10 }, 64, seen)
            for first = 0, channels - 1 do -- where the array starts
                local own = 0
                for line = first, first + lines - 1 do
                    own = own + (line % channels < seen and 1 or 0)
                end
                assert.is_true(share.min_bytes <= 640 * own and 640 * own <= share.max_bytes)
            end
            assert.equal(bytes * seen / channels, share.value_bytes)
            assert.is_true(share.max_bytes - share.value_bytes <= 64 * 11 * seen * (channels - seen) / channels)
        end
    end)
end)

describe("sizes.choose at a victim level", function()
    local kernels = fixture.kernels()

    local function choose(code, name, node, threads)
        local level = { name = name, interval_pct = 1 }
        return sizes.choose(machines.victim(), node, kernels[code], level, threads, 4)
    end

    it("uses sizes from twice the levels above to half of all levels that hold the data", function()
        local node = machines.node(machines.victim(), 1, 1, 4)
        local chosen = choose("load", "L3", node, 1)
        assert.is_true(chosen[1].bytes >= 2 * 557056 and chosen[1].bytes < 2 * 557056 + 512)
        assert.is_true(chosen[4].bytes <= (557056 + 8 * MIB) / 2 and chosen[4].bytes > (557056 + 8 * MIB) / 2 - 512)
    end)

    it("uses the middle if L2 is nearly as large as the last level", function()
        local node = machines.node(machines.victim(), 1, 1, 4)
        node.caches[2].size_bytes, node.caches[3].size_bytes = MIB, 2 * 1408 * 1024
        local above = 32768 + MIB
        local all = above + 2 * 1408 * 1024 -- 3.67 times as much; its fourth root is 1.384
        local chosen = choose("triad", "L3", node, 1)
        assert.near(1.384 * above, chosen[1].bytes, 0.002 * above)
        assert.near(all / 1.384, chosen[#chosen].bytes, 0.002 * all)
        assert.equal(4, #chosen)
    end)

    it("finds no size if the last level is hardly larger than the levels above", function()
        local node = machines.node(machines.victim(), 1, 1, 4)
        node.caches[2].size_bytes, node.caches[3].size_bytes = MIB, MIB
        local chosen, reason = choose("load", "L3", node, 1)
        assert.is_nil(chosen)
        assert.matches("^no size is well inside L3 on node victim: ", reason)
    end)

    it("uses twice all levels of the used domains for data in memory, on silicon four times", function()
        local node = machines.node(machines.victim(), 1, 2, 4)
        for kind, times in pairs { virtual = 2, native = 4 } do
            node.kind = kind
            assert.is_true(choose("load", "MEM", node, 1)[1].bytes >= times * (557056 + 8 * MIB))
            local all, least = choose("load", "MEM", node, 8)[1].bytes * 8, times * (8 * 557056 + 16 * MIB)
            assert.is_true(all >= least and all < least + 8 * 512)
        end
    end)

    -- Modified lines among the last W of each set of the last level, after two threads' sweeps in turns of `turn` lines per stream. One
    -- stream is written. Both threads' streams begin at the first set.
    local function modified_at_end(streams, lines, cache, turn)
        local sets, kept, modified = cache.size_bytes // cache.ways // 64, {}, 0
        for begin = 0, lines - 1, turn do
            for _ = 1, 2 do
                for line = begin, math.min(begin + turn, lines) - 1 do
                    for stream = 0, streams - 1 do
                        local set = (stream * lines + line) % sets
                        kept[set] = kept[set] or {}
                        table.insert(kept[set], 1, stream == 0 and 1 or 0)
                        kept[set][cache.ways + 1] = nil
                    end
                end
            end
        end
        for _, ways in pairs(kept) do
            for _, is_modified in ipairs(ways) do
                modified = modified + is_modified
            end
        end
        return modified
    end

    it("leaves as many modified lines in the last level, however two threads take turns", function()
        local node = machines.node(machines.victim(), 1, 1, 2)
        node.caches[1].size_bytes, node.caches[2].size_bytes = 256, 512
        node.caches[3].size_bytes, node.caches[3].ways = 20 * 128 * 64, 20 -- twice all: eight streams of 5.05 times as many lines as sets
        for _, chosen in ipairs(choose("triad", "MEM", node, 2)) do
            local lines = chosen.elements * 8 // 64
            for _, turn in ipairs { 1, 6, 20 } do
                local modified = modified_at_end(4, lines, node.caches[3], turn)
                assert.near(20 * 128 / 4, modified, 0.0018 * 2 * 2 * lines) -- 0.18 % of what two sweeps of two threads write
            end
        end
    end)

    it("fills whole pages with each stream if prefetchers may be on", function()
        local prefetching, silicon = machines.node(machines.victim(), 1, 1, 4), machines.node(machines.victim(), 1, 1, 4)
        prefetching.prefetchers, silicon.kind = "HW_PREFETCHER on", "native"
        for _, node in ipairs { prefetching, silicon } do
            for _, name in ipairs { "L2", "L3", "MEM" } do
                for _, size in ipairs(choose("triad", name, node, 1)) do
                    assert.equal(0, size.elements * 8 % 4096)
                end
            end
            assert.is_true(choose("triad", "L1", node, 1)[1].elements * 8 % 4096 > 0)
        end
    end)
end)
